import { type Address, comment, internal, toNano } from '@ton/core'
import type { TonClient } from '@ton/ton'
import type { Query } from '../../src/liteserver/query.ts'
import { rawAddressUpper } from '../../src/ton/address.ts'
import { type LiveWallet, sendFrom } from '../support/live-wallet.ts'
import { createCrowd } from '../support/transfer-crowd.ts'
import type { Caller } from './caller.ts'
import type { Ledger } from './ledger.ts'
import { type Flow, startFlow } from './load.ts'

export const rawOf = ({ workChain, hash }: Address): string => rawAddressUpper({ workchain: workChain, hash })

const LOOK_MS = 50
/** A message that a liteserver has taken is in a block by then. */
const ARRIVAL_MS = 30_000
const CROWD = 6
const EACH = 2
const SEND_MS = 500
const RETRY_MS = 400

/** Waits until an account has more transactions than it had; false when that takes too long. */
const untilMore = async (ledger: Ledger, account: string, count: number, patienceMs: number): Promise<boolean> => {
  const end = performance.now() + patienceMs
  while (ledger.transactionsOf(account).length <= count && performance.now() < end) await Bun.sleep(LOOK_MS)
  return ledger.transactionsOf(account).length > count
}

export interface TrafficOptions {
  /** Of the network itself, without faults between. */
  client: TonClient
  query: Query
  ledger: Ledger
  /** Gives the crowd its money. */
  rich: LiveWallet
  name: string
  pauseMs: number
  broken: (error: unknown) => void
}

/** Transfers that flow all the time, handed in at the network's liteserver itself. Gives the accounts that pay. */
export const startTraffic = async (options: TrafficOptions): Promise<{ flow: Flow; accounts: string[] }> => {
  const { client, query, ledger, rich, name, pauseMs, broken } = options
  const crowd = createCrowd(name, CROWD)
  const accounts = crowd.wallets.map(({ address }) => rawOf(address))
  await sendFrom(client, rich, ...crowd.funding(toNano(300)))
  for (const account of accounts)
    if (!(await untilMore(ledger, account, 0, ARRIVAL_MS))) throw new Error('the crowd has got no money')
  const flow = startFlow(
    async () => {
      const before = accounts.map((account) => ledger.transactionsOf(account).length)
      await crowd.hand(query, EACH)
      for (const [i, account] of accounts.entries())
        if (!(await untilMore(ledger, account, before[i]!, ARRIVAL_MS))) throw new Error(`${account} stands still`)
    },
    pauseMs,
    broken,
  )
  return { flow, accounts }
}

export interface SenderOptions {
  caller: Caller
  client: TonClient
  ledger: Ledger
  wallet: LiveWallet
  fail: (what: string) => void
  broken: (error: unknown) => void
}

/** A wallet whose messages go through the gateway: what that takes must be in a block soon, and once. */
export const startSender = async (options: SenderOptions): Promise<{ flow: Flow; sent: () => number }> => {
  const { caller, client, ledger, wallet, fail, broken } = options
  const account = rawOf(wallet.address)
  let seqno = await client.open(wallet.contract).getSeqno()
  let sent = 0
  const step = async (isOver: () => boolean): Promise<void> => {
    const transfer = internal({ to: wallet.address, value: 1n, bounce: false, body: comment(`soak ${seqno}`) })
    const boc = wallet.signed(seqno, [transfer]).toString('base64')
    const before = ledger.transactionsOf(account).length
    for (let tries = 1; !isOver(); tries++) {
      // What was taken although no answer came is refused the second time.
      const also = tries > 1 ? [400, 406, 409, 500] : []
      const answer = await caller.ask('v2 sendBoc', '/api/v2/sendBoc', { body: { boc }, also })
      const isTaken = answer?.status === 200
      if (await untilMore(ledger, account, before, isTaken ? ARRIVAL_MS : RETRY_MS)) break
      if (isTaken) return fail(`a message that was taken is in no block: seqno ${seqno} of ${account}`)
    }
    sent++
    seqno++
    // Its own transfer comes back to it before the next one leaves.
    await untilMore(ledger, account, before + 1, ARRIVAL_MS)
  }
  return { flow: startFlow(step, SEND_MS, broken), sent: () => sent }
}
