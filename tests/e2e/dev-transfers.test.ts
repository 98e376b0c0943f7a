import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import type { Query } from '../../src/liteserver/query.ts'
import { type CheckedChain, openCheckedChain } from '../support/checked-chain.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { printedWallets, sendMined } from '../support/live-wallet.ts'
import { connectQuery } from '../support/query-client.ts'
import { arrivals, type Crowd, createCrowd } from '../support/transfer-crowd.ts'

/**
 * Many wallets pay many accounts: every transfer arrives once, with its value, and all money is somewhere, whether shards
 * stay as they are or split and merge meanwhile. DEV_TRANSFERS=N makes N transfers in each of the two.
 */

const TRANSFERS = Number(process.env.DEV_TRANSFERS ?? 240)
const PAYERS = 25
const ROUNDS = 16
/** Transfers of one message of a wallet. */
const EACH = Math.ceil(TRANSFERS / PAYERS / ROUNDS)
/** Blocks within which all that was handed in must have arrived. */
const LONGEST_QUEUE = 400
const TRIAL_MS = 3_600_000

let alone: Lonely
let network: LiveNetwork
let query: Query
let chain: CheckedChain
beforeAll(async () => {
  alone = await copyExecutable()
  network = await startLiveNetwork(alone, 'data', '--block-interval', 'manual', '--index', 'off')
  query = (await connectQuery(network.liteserver)).query
  chain = await openCheckedChain(query)
}, 60_000)
afterAll(async () => {
  await network.end('SIGKILL')
  alone.remove()
})

const shards = async (): Promise<string[]> => (await network.status()).shards.map(({ shard }) => shard).sort()

/** A crowd that has money. */
const richCrowd = async (name: string): Promise<Crowd> => {
  const crowd = createCrowd(name, PAYERS)
  const [, , rich] = await printedWallets(await network.status())
  await sendMined(network, new TonClient({ endpoint: network.rpc }), rich!, ...crowd.funding(toNano(40)))
  await network.mine(4)
  return crowd
}

/** True while messages wait for a block, or in the queue of a shard. */
const isUnderWay = async (): Promise<boolean> =>
  (await network.status()).pending > 0 || chain.report().messages.pending > 0

/** Makes the transfers; `between` is done after each round. Gives the numbers of those that arrived. */
const payAll = async (crowd: Crowd, between: (round: number) => Promise<void>): Promise<number[]> => {
  const arrived: number[] = []
  const look = async (blocks: number): Promise<void> => {
    const { seqno } = await network.mine(blocks)
    arrived.push(...arrivals(await chain.advance(seqno)))
  }
  for (let round = 0; crowd.sent() < TRANSFERS; round++) {
    await crowd.hand(query, EACH)
    await look(1)
    await between(round)
  }
  for (let more = 0; more < LONGEST_QUEUE && (await isUnderWay()); more += 4) await look(4)
  return arrived
}

const expectAll = (crowd: Crowd, arrived: readonly number[]): void => {
  expect(arrived.length).toBe(crowd.sent())
  expect(arrived.toSorted((a, b) => a - b)).toEqual(Array.from({ length: crowd.sent() }, (_, i) => i))
  const { messages, value } = chain.report()
  expect(messages.pending).toBe(0)
  expect(value.underWay).toBe(0n)
}

describe(`${TRANSFERS} transfers`, () => {
  test(
    'over two shards: all arrive',
    async () => {
      expect(await shards()).toEqual(['4000000000000000', 'c000000000000000'])
      const crowd = await richCrowd('steady')
      expectAll(crowd, await payAll(crowd, async () => {}))
    },
    TRIAL_MS,
  )

  test(
    'while shards split and merge: all arrive',
    async () => {
      const crowd = await richCrowd('moving')
      const { splits, merges } = chain.report()
      const moves = [
        ['split', '4000000000000000'],
        ['split', 'c000000000000000'],
        ['merge', '2000000000000000'],
        ['merge', 'a000000000000000'],
      ] as const
      const arrived = await payAll(crowd, async (round) => {
        const [action, shard] = moves[round % moves.length]!
        await network.call('resplit', { action, shard })
      })
      expectAll(crowd, arrived)
      const report = chain.report()
      expect(report.splits).toBeGreaterThan(splits)
      expect(report.merges).toBeGreaterThan(merges)
    },
    TRIAL_MS,
  )
})
