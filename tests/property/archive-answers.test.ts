import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { createLogger } from '../../src/common/logger.ts'
import { createAnswer } from '../../src/devnet/answer.ts'
import { createHead } from '../../src/devnet/head.ts'
import { encode } from '../../src/ton/tl/codec.ts'
import { CONSTRUCTORS } from '../../src/ton/tl/schema.ts'
import { recordedChain } from '../support/recorded-chain.ts'

const questions = Bun.zstdDecompressSync(readFileSync(new URL('../fixtures/chain/golden.jsonl.zst', import.meta.url)))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { req: string; level?: string })
  .filter(({ level }) => level !== 'adnl')
  .map(({ req }) => Buffer.from(req, 'base64'))

const KNOWN_IDS = new Set<number>(Object.values(CONSTRUCTORS).map(({ id }) => id))

/** Overwrites up to eight bytes anywhere, or cuts the end off. */
const damage = (question: Buffer, at: number, value: Uint8Array, cut: boolean): Buffer => {
  const copy = Buffer.from(question)
  const position = copy.length === 0 ? 0 : at % copy.length
  if (cut) return copy.subarray(0, position)
  copy.set(value.subarray(0, copy.length - position), position)
  return copy
}

const extremes = [0n, 1n, 0x7fffffffn, 0x80000000n, 0xffffffffn, 1n << 63n, (1n << 63n) - 1n, (1n << 64n) - 1n]
const value = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 8 }),
  fc.constantFrom(...extremes).map((extreme) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(extreme)
    return bytes
  }),
)

test('a damaged question gets an answer or an error of a liteserver, never a failure of ours', async () => {
  const failures: string[] = []
  const logger = createLogger('error', 'json', (line) => failures.push(line))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...questions),
      fc.nat(400),
      value,
      fc.boolean(),
      fc.integer({ min: 1, max: recordedChain().last }),
      async (question, at, bytes, cut, seqno) => {
        const head = createHead(seqno)
        const answer = createAnswer(recordedChain(), head, logger)
        const reply = answer(encode({ _: 'liteServer.query', data: damage(question, at, bytes, cut && at % 3 === 0) }))
        head.close()
        expect(KNOWN_IDS.has((await reply)!.readUInt32LE(0))).toBe(true)
        expect(failures).toEqual([])
      },
    ),
    { numRuns: 3_000 },
  )
})
