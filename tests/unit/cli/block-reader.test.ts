import { expect, test } from 'bun:test'
import { createBlockReader } from '../../../src/cli/block-reader.ts'
import type { FromBlockReader, ToBlockReader } from '../../../src/cli/index-messages.ts'
import { encodeBundle } from '../../../src/indexer/bundle-wire.ts'
import type { Bundle } from '../../../src/indexer/fetch.ts'
import { openBlock } from '../../../src/indexer/opened-block.ts'
import { bundleOf } from '../../support/bundle-crossing.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const FIRST = 1

const bundleAt = (seqno: number): Bundle => {
  const { id, data } = recordedChain().masterchain(seqno)!
  return bundleOf(openBlock(id, Buffer.from(data)), [])
}

/** A reader whose Worker is played by `answer`; undefined: it says nothing. */
const setup = (answer: (asked: ToBlockReader) => FromBlockReader | undefined) => {
  const ports: MessagePort[] = []
  const asked: ToBlockReader[] = []
  let [ended, broke] = [0, () => {}]
  const reader = createBlockReader({
    readers: {
      start: (port) => {
        if (!port) return void ended++
        ports.push(port)
        port.onmessage = ({ data }: { data: ToBlockReader }) => {
          asked.push(data)
          const told = answer(data)
          if (told) port.postMessage(told)
        }
      },
      onEnd: (listener) => {
        broke = listener
      },
    },
    here: async (seqno) => ({ ...bundleAt(seqno), bytes: -1 }),
    whole: () => true,
  })
  const close = (): void => {
    for (const port of ports) port.close()
  }
  return { reader, asked, ports, close, ended: () => ended, broke: () => broke() }
}

test('bundles come from the Worker with their batch; one is started once it is asked, and again after a rest', async () => {
  const { reader, asked, ports, close, ended } = setup(({ fetch }) => ({
    bundle: encodeBundle(bundleAt(fetch), true).wire,
  }))
  reader.rest()
  expect([ports.length, ended(), reader.runs()]).toEqual([0, 0, false])
  const [first, second] = await Promise.all([reader.fetch(FIRST), reader.fetch(FIRST + 1)])
  expect([first.seqno, second.seqno]).toEqual([FIRST, FIRST + 1])
  expect(second.batch?.mc.root_hash).toEqual(bundleAt(FIRST + 1).masterchain.id.root_hash)
  expect(asked).toEqual([FIRST, FIRST + 1].map((fetch) => ({ fetch, whole: true })))
  reader.rest()
  expect([ports.length, ended(), reader.busy(), reader.runs()]).toEqual([1, 1, false, false])
  expect((await reader.fetch(FIRST)).batch).toBeDefined()
  expect(ports.length).toBe(2)
  reader.rest()
  close()
})

test('what the Worker cannot bring, and what it did not bring before it ended, is fetched here', async () => {
  const { reader, ports, close, broke } = setup(({ fetch }) => (fetch === FIRST ? { failed: fetch } : undefined))
  expect((await reader.fetch(FIRST)).bytes).toBe(-1)
  const coming = reader.fetch(FIRST + 1)
  expect(reader.busy()).toBeTrue()
  reader.rest()
  expect((await coming).bytes).toBe(-1)
  const other = reader.fetch(FIRST + 2)
  broke()
  expect((await other).bytes).toBe(-1)
  expect((await reader.fetch(FIRST + 3)).bytes).toBe(-1)
  expect([ports.length, reader.busy()]).toEqual([2, false])
  close()
})

test('what the Worker waits for is told', async () => {
  const { reader, close } = setup(() => ({ troubles: ['block 7: no server has it'] }))
  const coming = reader.fetch(FIRST)
  while (reader.troubles().length === 0) await Bun.sleep(1)
  expect(reader.troubles()).toEqual(['block 7: no server has it'])
  reader.rest()
  expect(reader.troubles()).toEqual([])
  await coming
  close()
})
