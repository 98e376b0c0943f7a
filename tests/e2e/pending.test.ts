import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Address, Cell, internal, toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import { sendMessage } from '../../src/liteserver/client.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { type LiveWallet, printedWallets, sendFrom } from '../support/live-wallet.ts'
import { connectQuery } from '../support/query-client.ts'
import { createCrowd } from '../support/transfer-crowd.ts'
import { until } from '../support/until.ts'

/**
 * External messages on a live network, from the moment they are sent: each trace is pending until the index has it, never
 * both and never neither. PENDING_SENDS=N sends N messages.
 */

const SENDS = Number(process.env.PENDING_SENDS ?? 30)
const WALLETS = Math.min(12, SENDS)
const TRIAL_MS = 1_800_000

let alone: Lonely
let network: LiveNetwork
beforeAll(async () => {
  alone = await copyExecutable()
  network = await startLiveNetwork(
    alone,
    'data',
    '--block-interval',
    '700ms',
    '--keyless-rps',
    '0',
    '--v3-keyless-rps',
    '0',
  )
}, 60_000)
afterAll(async () => {
  await network.end('SIGKILL')
  alone.remove()
})

interface Transaction {
  emulated: boolean
  finality: string
  trace_external_hash?: string
}
interface Trace {
  trace_id: string | null
  external_hash: string
  trace_info: { trace_state: string }
  transactions: Record<string, Transaction>
}
interface MessageStatus {
  status: string
  transaction_hash: string | null
  trace_id: string | null
  msg_hash: string | null
  failure: { phase: string; code: number | null; reason: string } | null
}

const hex = (boc: Buffer): string => Cell.fromBoc(boc)[0]!.hash().toString('hex')
const tracesOf = async (hash: string) =>
  (await network.get<{ traces: Trace[] }>(`/api/v3/traces?msg_hash=${hash}`)).traces
const pendingOf = async (hash: string) =>
  (await network.get<{ traces: Trace[] }>(`/api/v3/pendingTraces?ext_msg_hash=${hash}`)).traces
const statusOf = (hash: string) => network.get<MessageStatus>(`/api/v3/messageStatus?msg_hash=${hash}`)

/** Hands a message in; again where the network did not answer in time, as it may have taken it or not. */
const post = async (path: string, boc: Buffer): Promise<void> => {
  const body = JSON.stringify({ boc: boc.toString('base64') })
  const headers = { 'content-type': 'application/json' }
  await until(async () => {
    const answer = await fetch(network.url + path, { method: 'POST', headers, body })
    if (!answer.ok && answer.status < 503) throw new Error(await answer.text())
    return answer.ok ? true : undefined
  }, 'a message that is taken')
}

const ORDER = ['pending', 'included', 'finalised']

interface Seen {
  /** Looks that found the trace pending with its transactions emulated. */
  emulated: number
  wrong: string[]
}

/** Looks at a trace until it is complete: the index before, the pending ones, the index after. */
const watch = async (hash: string): Promise<Seen> => {
  const seen: Seen = { emulated: 0, wrong: [] }
  let reached = 0
  return until(async () => {
    const before = await tracesOf(hash)
    const pending = await pendingOf(hash)
    const after = await tracesOf(hash)
    const { status, failure } = await statusOf(hash)
    if (before.length > 0 && pending.length > 0) seen.wrong.push('in both')
    if (after.length === 0 && pending.length === 0) seen.wrong.push('in neither')
    if (before.length + pending.length + after.length > 3) seen.wrong.push('twice')
    const transactions = pending.flatMap((trace) => Object.values(trace.transactions))
    if (transactions.some(({ emulated }) => emulated)) seen.emulated++
    if (transactions.some(({ emulated, finality }) => finality !== (emulated ? 'pending' : 'finalized')))
      seen.wrong.push('finality')
    const at = ORDER.indexOf(status)
    if (at < reached) seen.wrong.push(`${ORDER[reached]} became ${status} ${failure?.reason}`)
    reached = Math.max(reached, at)
    return after[0]?.trace_info.trace_state === 'complete' ? seen : undefined
  }, `the trace of ${hash}`)
}

const pay = (wallet: LiveWallet, seqno: number): Buffer => {
  const to = new Address(0, Buffer.alloc(32, seqno + 1))
  return wallet.signed(seqno, [internal({ to, value: toNano('0.01'), bounce: false })])
}

test(
  `${SENDS} messages: each trace is pending or final at every moment`,
  async () => {
    const crowd = createCrowd('pending', WALLETS)
    const rich = (await printedWallets(await network.status()))[2]!
    await sendFrom(new TonClient({ endpoint: network.rpc }), rich, ...crowd.funding(toNano(20)))
    const paths = ['/api/v3/message', '/api/v2/sendBoc']
    let emulated = 0
    let sent = 0
    await Promise.all(
      crowd.wallets.map(async (wallet, i) => {
        const { address } = wallet
        await until(async () => {
          const path = `/api/v2/getAddressBalance?address=${address.toRawString()}`
          return (await network.get<{ result: string }>(path)).result !== '0' ? true : undefined
        }, `money of wallet ${i}`)
        for (let seqno = 0; seqno * WALLETS + i < SENDS; seqno++) {
          const boc = pay(wallet, seqno)
          await post(paths[(seqno + i) % 2]!, boc)
          sent++
          const seen = await watch(hex(boc))
          expect(seen.wrong).toEqual([])
          emulated += seen.emulated > 0 ? 1 : 0
          const status = await statusOf(hex(boc))
          const [trace] = await tracesOf(hex(boc))
          expect(status).toMatchObject({ status: 'finalised', failure: null, trace_id: trace!.trace_id })
          expect(status.transaction_hash).toBe(trace!.trace_id)
        }
      }),
    )
    expect(sent).toBe(SENDS)
    console.log(`${emulated} of ${sent} traces were seen emulated`)
    expect(emulated).toBeGreaterThan(0)
  },
  TRIAL_MS,
)

test('what comes to the network past the gateway is pending, too', async () => {
  const wallets = await printedWallets(await network.status())
  const wallet = wallets[1]!
  const seqno = await new TonClient({ endpoint: network.rpc }).open(wallet.contract).getSeqno()
  const boc = pay(wallet, seqno)
  const { query } = await connectQuery(network.liteserver)
  await sendMessage(query, boc)
  const hash = hex(boc)
  const where = await until(async () => {
    const pending = await pendingOf(hash)
    if (pending.length > 0) return 'pending'
    return (await tracesOf(hash)).length > 0 ? 'final' : undefined
  }, 'the trace')
  expect(['pending', 'final']).toContain(where)
  await until(async () => ((await statusOf(hash)).status === 'finalised' ? true : undefined), 'the end of the trace')
}, 60_000)

test('a message that nobody sent is unknown', async () => {
  expect(await statusOf('00'.repeat(32))).toEqual({
    status: 'unknown',
    msg_hash: null,
    msg_hash_norm: null,
    transaction_hash: null,
    lt: null,
    mc_block_seqno: null,
    trace_id: null,
    failure: null,
  } as never)
})
