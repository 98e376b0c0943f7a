import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { silentLogger } from '../../src/common/logger.ts'
import { createAnswer } from '../../src/devnet/answer.ts'
import type { Chain } from '../../src/devnet/chain.ts'
import { createHead } from '../../src/devnet/head.ts'
import { encode } from '../../src/ton/tl/codec.ts'
import { decodeAnswer } from '../../src/ton/tl/lite-api.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { type CopiedChain, copiedChain } from '../support/recorded-steps.ts'

/**
 * Asks the archive what a real node was asked on this chain (tests/fixtures/chain/golden.jsonl.zst) and compares its
 * answers with the node's, to the byte, proofs included. Every question is asked at the masterchain block that was the
 * last one when the node was asked. So are the same blocks out of a chain on the disk, which was made step by step and
 * opened again.
 */

interface Golden {
  id: number
  method: string
  level?: string
  req: string
  mc_before: number
  mc_after?: number
  resp?: string
  error?: { code: number; message: string }
}

/** What an archive cannot do, and says so instead. */
const REFUSED = /^(runSmcMethod|sendMessage|nonfinal\..*)$/
/** Answers that carry the node's clock. */
const WITH_CLOCK = ['getTime', 'getVersion', 'getMasterchainInfoExt'] as const

const golden = Bun.zstdDecompressSync(readFileSync(new URL('../fixtures/chain/golden.jsonl.zst', import.meta.url)))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden)

let copied: CopiedChain
beforeAll(async () => {
  copied = await copiedChain()
}, 60_000)
afterAll(() => copied.remove())

const CHAINS: Record<string, () => Chain> = { 'in memory': recordedChain, 'on the disk': () => copied.chain }

const ask = async ({ req, level, mc_before, mc_after }: Golden, chain: Chain): Promise<Buffer | undefined> => {
  const head = createHead(mc_before)
  const answer = createAnswer(chain, head, silentLogger)
  const data = Buffer.from(req, 'base64')
  const reply = answer(level === 'adnl' ? data : encode({ _: 'liteServer.query', data }))
  if (mc_after && mc_after > mc_before) setTimeout(() => head.set(mc_after), 1)
  return await reply
}

const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64')

const withoutClock = (method: (typeof WITH_CLOCK)[number], answer: Buffer) => ({
  ...decodeAnswer(`liteServer.${method}`, answer),
  now: 0,
})

const methods = Map.groupBy(
  golden.filter(({ method, level }) => level !== 'adnl' && !REFUSED.test(method)),
  ({ method }) => method,
)

describe.each(Object.keys(CHAINS))('answers of a chain %s equal the recorded node to the byte', (place) => {
  for (const [method, questions] of methods)
    test(`${method} (${questions.length})`, async () => {
      const clocked = WITH_CLOCK.find((name) => name === method)
      for (const question of questions) {
        const got = await ask(question, CHAINS[place]!())
        const want = bytes(question.resp)
        if (clocked && !question.error) expect(withoutClock(clocked, got!)).toEqual(withoutClock(clocked, want))
        else expect(`${question.id} ${got?.toString('base64')}`).toBe(`${question.id} ${question.resp}`)
      }
    })
})

describe('what an archive cannot do', () => {
  test('is refused with an error that says so', async () => {
    const refused = golden.filter(({ method }) => REFUSED.test(method))
    expect(refused.length).toBeGreaterThan(200)
    for (const question of refused) {
      const got = await ask({ ...question, mc_before: recordedChain().last }, recordedChain())
      expect(() => decodeAnswer('liteServer.getTime', got!)).toThrow(
        /^this liteserver (serves an archive|knows no blocks)/,
      )
    }
  })
})

describe('what a node leaves without an answer', () => {
  test('stays without one', async () => {
    const silent = golden.filter(({ level }) => level === 'adnl')
    expect(silent.length).toBeGreaterThan(0)
    for (const question of silent) expect(await ask(question, recordedChain())).toBeUndefined()
  })
})
