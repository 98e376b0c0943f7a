import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import { LiteClient, LiteSingleEngine } from 'ton-lite-client'
import { getMasterchainInfo } from '../../src/liteserver/client.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { openCheckedChain } from '../support/checked-chain.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { printedWallets, sendMined } from '../support/live-wallet.ts'
import { connectQuery } from '../support/query-client.ts'
import { arrivals, createCrowd } from '../support/transfer-crowd.ts'
import { startTrustingClient } from '../support/trusting-client.ts'

/**
 * Clients follow a network that pays and splits meanwhile: ton-lite-client, our own one with full trust, and one that reads
 * every block whole and applies its Merkle update. DEV_FOLLOW_BLOCKS=N follows N masterchain blocks.
 */

const BLOCKS = Number(process.env.DEV_FOLLOW_BLOCKS ?? 60)
/** Masterchain blocks between two looks. */
const STRIDE = 20
const PAYERS = 12
const TRIAL_MS = 1_800_000

let alone: Lonely
let network: LiveNetwork
beforeAll(async () => {
  alone = await copyExecutable()
  network = await startLiveNetwork(alone, 'data', '--block-interval', 'manual', '--index', 'off')
}, 60_000)
afterAll(async () => {
  await network.end('SIGKILL')
  alone.remove()
})

/** ton-lite-client reads a masterchain block with its shards, their transactions, and an account with its proof. */
const readOutside = async (client: LiteClient, seqno: number): Promise<number> => {
  const block = await client.getFullBlock(seqno)
  let transactions = 0
  for (const shard of block.shards) transactions += shard.transactions.length
  return transactions
}

test(
  `${BLOCKS} masterchain blocks are followed without an error`,
  async () => {
    const { connection, query } = await connectQuery(network.liteserver)
    const { init } = await getMasterchainInfo(query)
    const trusting = startTrustingClient(network.liteserver, { ...init, shard: SHARD_ALL, seqno: 0 })
    const { host, port, key } = network.liteserver
    const engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey: key })
    const outside = new LiteClient({ engine })
    const failures: string[] = []
    engine.on('error', (error) => failures.push(String(error)))
    try {
      const chain = await openCheckedChain(query)
      const crowd = createCrowd('follow', PAYERS)
      const rich = (await printedWallets(await network.status()))[2]!
      await sendMined(network, new TonClient({ endpoint: network.rpc }), rich, ...crowd.funding(toNano(50)))
      await network.mine(6)
      const arrived: number[] = []
      let read = 0
      for (let reached = (await network.status()).seqno; reached < BLOCKS; ) {
        await crowd.hand(query, 5)
        const { seqno } = await network.mine(Math.min(STRIDE, BLOCKS - reached))
        for (let at = reached + 1; at <= seqno; at++) read += await readOutside(outside, at)
        reached = await trusting.head.reached(seqno, AbortSignal.timeout(30_000))
        expect(reached).toBe(seqno)
        expect(trusting.pool().head()!.id.seqno).toBe(seqno)
        arrived.push(...arrivals(await chain.advance(seqno)))
      }
      const { seqno } = await network.mine(4)
      arrived.push(...arrivals(await chain.advance(seqno)))
      expect(arrived.length).toBe(crowd.sent())
      expect(new Set(arrived).size).toBe(arrived.length)
      expect(read).toBeGreaterThan(BLOCKS)
      expect(chain.report()).toMatchObject({ last: seqno, messages: { pending: 0 } })
      expect(chain.ids.size).toBeGreaterThan(BLOCKS * 2)
      expect(failures).toEqual([])
      expect(trusting.pool().head()!.id.workchain).toBe(MASTERCHAIN)
    } finally {
      engine.close()
      trusting.stop()
      connection.close()
    }
  },
  TRIAL_MS,
)
