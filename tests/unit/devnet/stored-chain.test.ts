import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { ChainBlock, LookupKey } from '../../../src/devnet/chain.ts'
import { lookupValue } from '../../../src/devnet/chain.ts'
import { type ChainStep, openStoredChain, readStoredChain } from '../../../src/devnet/stored-chain.ts'
import { dataFile } from '../../../src/store/disk.ts'
import { MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type CopiedChain, copiedChain, recordedSteps, recordedZerostates } from '../../support/recorded-steps.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { sameTree } from '../../support/same-tree.ts'

const recorded = recordedChain()
const steps = [...recordedSteps(recorded)]
const all = [MASTERCHAIN, 0].flatMap((workchain) => [...recorded.shards(workchain).values()].flat())

describe('a chain on the disk, opened again,', () => {
  let copied: CopiedChain
  beforeAll(async () => {
    copied = await copiedChain()
  }, 60_000)
  afterAll(() => copied.remove())

  test('has the blocks that were added, and their states to the last cell', () => {
    const { chain } = copied
    expect([chain.last, chain.head.seqno]).toEqual([recorded.last, recorded.last])
    for (const { id, data, prev, mc_seqno, state } of all) {
      const block = chain.block(id)!
      expect(block.data.equals(data)).toBe(true)
      expect([block.id, block.prev, block.mc_seqno]).toEqual([id, prev, mc_seqno])
      expect(block.state.hash()).toEqual(state.hash())
    }
    for (const seqno of [1, 2, 44, 103, 250, recorded.last])
      expect(sameTree(chain.masterchain(seqno)!.state, recorded.masterchain(seqno)!.state)).toBe(true)
    for (const list of recorded.shards(0).values())
      for (const { id, state } of [list[0]!, list.at(-1)!]) expect(sameTree(chain.block(id)!.state, state)).toBe(true)
  })

  test('finds what the recording finds', () => {
    const find = (chain: Pick<typeof recorded, 'find'>, ...asked: Parameters<typeof recorded.find>) =>
      chain.find(...asked)?.id
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: recorded.last }),
        fc.constantFrom<ChainBlock>(...all),
        fc.constantFrom<LookupKey>('seqno', 'lt', 'utime'),
        fc.bigInt({ min: -2n, max: 2n }),
        fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
        (last, near, by, offset, prefix) => {
          const value = lookupValue(near, by) + offset
          if (value < 0n) return
          const at = { workchain: near.id.workchain, prefix }
          expect(find(copied.chain, at, by, value, last)).toEqual(find(recorded, at, by, value, last))
        },
      ),
      { numRuns: 400 },
    )
    for (let seqno = 0; seqno <= recorded.last + 1; seqno++) {
      expect(copied.chain.nextKeyBlock(seqno)).toBe(recorded.nextKeyBlock(seqno)!)
      expect(copied.chain.prevKeyBlock(seqno)).toBe(recorded.prevKeyBlock(seqno))
      expect(copied.chain.signatures(seqno)).toEqual(recorded.signatures(seqno)!)
    }
    expect([0, MASTERCHAIN, 7].map((workchain) => copied.chain.hasWorkchain(workchain))).toEqual([true, true, false])
  })

  test('has the zerostates', () => {
    for (const workchain of [MASTERCHAIN, 0]) {
      const [found, wanted] = [copied.chain.zerostate(workchain)!, recorded.zerostate(workchain)!]
      expect([found.id, found.data]).toEqual([wanted.id, wanted.data])
      expect(sameTree(found.root, wanted.root)).toBe(true)
    }
    expect(copied.chain.zerostate(7)).toBeUndefined()
  })

  test('knows a block by its whole id only, and is open once', async () => {
    const { id } = recorded.masterchain(5)!
    const other = Buffer.alloc(32, 1)
    for (const wrong of [{ root_hash: other }, { file_hash: other }, { seqno: 6 }, { shard: 1n << 62n }])
      expect(copied.chain.block({ ...id, ...wrong })).toBeUndefined()
    expect((await rejectionOf(openStoredChain(copied.folder, () => [])))?.message).toBe(
      'another process keeps this network',
    )
  })
})

describe('a chain that grows', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tonlith-chain-'))
  })
  afterEach(() => {
    for (const path of [folder, `${folder}.writer`]) rmSync(path, { recursive: true, force: true })
  })

  const open = () => openStoredChain(folder, () => recordedZerostates(recorded))

  test('moves its head and wakes who waits for it', async () => {
    const chain = await open()
    expect([chain.last, chain.head.seqno]).toEqual([0, 0])
    const waiting = chain.head.wait(2, 5_000).then(() => chain.masterchain(2)?.id.seqno)
    chain.append(steps[0]!)
    chain.append(steps[1]!)
    expect(await waiting).toBe(2)
    await chain.close()
  })

  test('is read by somebody else meanwhile, with what is added', async () => {
    const chain = await open()
    for (const step of steps.slice(0, 100)) chain.append(step)
    const reading = await readStoredChain(folder)
    expect(reading.last).toBe(100)
    for (const step of steps.slice(100)) chain.append(step)
    await Bun.sleep(1)
    expect(reading.last).toBe(recorded.last)
    for (const { id, info } of all) {
      expect(reading.block(id)?.id).toEqual(id)
      const at = { workchain: id.workchain, prefix: id.shard }
      expect(reading.find(at, 'lt', info.end_lt, recorded.last)?.id).toEqual(
        recorded.find(at, 'lt', info.end_lt, recorded.last)!.id,
      )
    }
    expect(reading.prevKeyBlock(recorded.last)).toBe(recorded.prevKeyBlock(recorded.last))
    await reading.close()
    await chain.close()
    expect((await rejectionOf(readStoredChain(join(folder, 'none'))))?.kind).toBe('invalid')
  }, 60_000)

  test('takes a step that follows or none of it', async () => {
    const chain = await open()
    for (const step of steps.slice(0, 12)) chain.append(step)
    const next = steps[12]!
    const other = steps[40]!
    const broken: Record<string, ChainStep> = {
      'of a later seqno': steps[13]!,
      'of a known seqno': steps[11]!,
      'without its shard blocks before': { ...next, shardBlocks: other.shardBlocks },
      'with the state of another block': {
        ...next,
        masterchainBlock: { ...next.masterchainBlock, state: other.masterchainBlock.state },
      },
      'with the content of another block': {
        ...next,
        masterchainBlock: { ...other.masterchainBlock, id: next.masterchainBlock.id },
      },
    }
    const before = chain.usedBytes()
    for (const [what, step] of Object.entries(broken))
      expect(`${what}: ${failureOf(() => chain.append(step))}`).toMatch(/: (internal|proof)$/)
    expect([chain.last, chain.head.seqno, chain.usedBytes()]).toEqual([12, 12, before])
    for (const step of steps.slice(12, 20)) chain.append(step)
    await chain.close()
    const again = await open()
    expect(sameTree(again.masterchain(20)!.state, recorded.masterchain(20)!.state)).toBe(true)
    await again.close()
  })

  test('that is damaged is told in one line', async () => {
    const chain = await open()
    for (const step of steps.slice(0, 30)) chain.append(step)
    await chain.close()
    const whole = readFileSync(dataFile(folder))
    const damages: Record<string, () => void> = {
      'cut short': () => truncateSync(dataFile(folder), whole.length >> 1),
      'overwritten at its start': () =>
        writeFileSync(dataFile(folder), Buffer.concat([Buffer.alloc(4096, 7), whole.subarray(4096)])),
      'overwritten from its third page on': () =>
        writeFileSync(dataFile(folder), Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(whole.length - 8192, 7)])),
    }
    for (const [what, damage] of Object.entries(damages)) {
      damage()
      const error = await rejectionOf(open())
      expect(`${what}: ${error?.kind} ${error?.message}`).toMatch(
        /malformed .*data\.mdb is damaged: .*; begin anew \(tonlith dev --fresh\), or put the data\.mdb of a snapshot in its place$/,
      )
    }
    writeFileSync(dataFile(folder), whole)
    const again = await open()
    expect(again.last).toBe(30)
    await again.close()
  })
})
