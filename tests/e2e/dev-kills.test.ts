import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { Address, internal, toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { blockIdText } from '../../src/ton/block-id.ts'
import { openCheckedChain } from '../support/checked-chain.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { type LiveWallet, printedWallets } from '../support/live-wallet.ts'
import { createKilledNetwork, type KilledNetwork } from '../support/network-kills.ts'

/**
 * A network that pays all the time is killed with SIGKILL at random moments: it goes on, and no block that anybody was told
 * of is lost or another one. DEV_KILLS=N kills it N times, DEV_KILL_SEED=N at other moments.
 */

const KILLS = Number(process.env.DEV_KILLS ?? 2)
const SEED = Number(process.env.DEV_KILL_SEED ?? 1)
const WITHIN_MS = 1_500
/** One kill in so many comes while the program starts. */
const EARLY = 4
const STARTING_MS = 700
const TRIAL_MS = 1_800_000

const FRIENDS = Array.from({ length: 20 }, (_, i) => new Address(0, hash('sha256', `friend ${i}`, 'buffer')))

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

/** Pays until the network is gone: its messages are in whatever is being written when it is killed. */
const payOn = async (rpc: string, wallet: LiveWallet, signal: AbortSignal): Promise<void> => {
  const client = new TonClient({ endpoint: rpc, timeout: 5_000 })
  const pay = async (): Promise<void> => {
    const seqno = await client.open(wallet.contract).getSeqno()
    await client.sendFile(
      wallet.signed(
        seqno,
        FRIENDS.map((to) => internal({ to, value: toNano('0.01'), bounce: false })),
      ),
    )
  }
  while (!signal.aborted) {
    await pay().catch(() => {})
    await Bun.sleep(30)
  }
}

/** The blocks before and after every kill are one chain, of which every block is whole, and no money is lost. */
const expectWhole = async (network: KilledNetwork): Promise<void> => {
  const running = await network.start()
  try {
    const { seqno } = await running.mine(6)
    const chain = await openCheckedChain(network.query)
    await chain.advance(seqno)
    for (const [, id] of network.seen) expect(chain.ids.get(blockIdText(id))).toEqual(id)
    expect(chain.report().last).toBe(seqno)
    expect(network.seen.size).toBeGreaterThan(0)
  } finally {
    await running.end('SIGKILL')
  }
}

describe(`seed ${SEED}`, () => {
  test(
    `${KILLS} kills lose and change nothing`,
    async () => {
      const random = seededRandom(SEED)
      const network = createKilledNetwork(alone, `kills-${SEED}`, '--block-interval', '200ms', '--index', 'off')
      for (let i = 0; i < KILLS; i++) {
        if (random() * EARLY < 1) {
          await network.killEarly(random() * STARTING_MS)
          continue
        }
        const running = await network.start()
        const wallet = (await printedWallets(await running.status()))[3]!
        const ended = new AbortController()
        const paying = payOn(running.rpc, wallet, ended.signal)
        await network.kill(running, random() * WITHIN_MS)
        ended.abort()
        await paying
      }
      await expectWhole(network)
    },
    TRIAL_MS,
  )
})
