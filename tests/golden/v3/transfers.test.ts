import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Cell, type Slice } from '@ton/core'
import { ALL_SEQNOS, everyRow, startV3Gateway, type V3Gateway } from '../../support/v3-gateway.ts'

/** Jetton and NFT transfers and burns of the recording, against its messages as @ton/core reads them. */

setDefaultTimeout(120_000)

interface Message {
  source: string | null
  opcode: string | null
  message_content: { body: string }
}

interface Transaction {
  account: string
  hash: string
  lt: string
  now: number
  trace_id: string
  description: { aborted?: boolean }
  in_msg: Message | null
}

type Row = Record<string, unknown>

const JETTON_TRANSFER = '0x0f8a7ea5'
const JETTON_BURN = '0x595f07bc'
const NFT_TRANSFER = '0x5fcc3d14'

let gateway: V3Gateway
let transactions: Transaction[]
/** Master by jetton wallet, and collection by item. */
let parents: Map<string, string | null>
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: ALL_SEQNOS, detects: true })
  transactions = await everyRow<Transaction>(gateway, 'transactions?sort=desc', 'transactions')
  const wallets = await everyRow<Row>(gateway, 'jetton/wallets?offset=0', 'jetton_wallets')
  const items = await everyRow<Row>(gateway, 'nft/items?offset=0', 'nft_items')
  parents = new Map([
    ...wallets.map(({ address, jetton }): [string, string] => [String(address), String(jetton)]),
    ...items.map(({ address, collection_address }): [string, string | null] => [
      String(address),
      collection_address as string | null,
    ]),
  ])
}, 600_000)
afterAll(() => gateway.stop())

const asked = (opcode: string): Transaction[] => transactions.filter(({ in_msg }) => in_msg?.opcode === opcode)

const boc = (cell: Cell | null): string | null => cell?.toBoc({ idx: false, crc32: true }).toString('base64') ?? null

const addressOf = (slice: Slice): string => {
  const address = slice.loadAddressAny()
  if (!address || !('hash' in address)) return 'addr_none'
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
}

const payloadOf = (slice: Slice): Cell | null => {
  if (slice.loadBit()) return slice.loadRef()
  return slice.remainingBits === 0 && slice.remainingRefs === 0 ? null : slice.asCell()
}

const commentOf = (payload: Cell | null): string | undefined => {
  const slice = payload?.beginParse()
  return slice && slice.remainingBits >= 32 && slice.loadUint(32) === 0 ? slice.loadStringTail() : undefined
}

const bodyOf = ({ in_msg }: Transaction): Slice => Cell.fromBase64(in_msg!.message_content.body).beginParse().skip(32)

const shared = (transaction: Transaction): Row => ({
  transaction_hash: transaction.hash,
  transaction_lt: transaction.lt,
  transaction_now: transaction.now,
  transaction_aborted: transaction.description.aborted,
  trace_id: transaction.trace_id,
})

const commentIn = (decoded: unknown): unknown => (decoded as { comment?: string } | null)?.comment

describe('API v3 serves of the recording', () => {
  test('each jetton transfer that was not aborted', async () => {
    const rows = await everyRow<Row>(gateway, 'jetton/transfers?sort=desc', 'jetton_transfers')
    const expected = asked(JETTON_TRANSFER).filter(
      ({ account, description }) => parents.has(account) && description.aborted === false,
    )
    expect(expected.length).toBeGreaterThan(10)
    expect(rows.map((row) => row['transaction_hash'])).toEqual(expected.map(({ hash }) => hash))
    for (const [i, transaction] of expected.entries()) {
      const slice = bodyOf(transaction)
      const body = {
        query_id: String(slice.loadUintBig(64)),
        amount: String(slice.loadCoins()),
        destination: addressOf(slice),
        response_destination: addressOf(slice),
        custom_payload: boc(slice.loadMaybeRef()),
        forward_ton_amount: String(slice.loadCoins()),
      }
      const payload = payloadOf(slice)
      expect(rows[i]).toMatchObject({
        ...shared(transaction),
        ...body,
        source: transaction.in_msg!.source,
        source_wallet: transaction.account,
        jetton_master: parents.get(transaction.account),
        forward_payload: boc(payload),
      })
      expect(commentIn(rows[i]!['decoded_forward_payload'])).toBe(commentOf(payload))
    }
    const comments = rows.map((row) => commentIn(row['decoded_forward_payload'])).filter((each) => each !== undefined)
    expect(comments.length).toBeGreaterThan(2)
  })

  test('each burn, aborted or not', async () => {
    const rows = await everyRow<Row>(gateway, 'jetton/burns?sort=desc', 'jetton_burns')
    const expected = asked(JETTON_BURN).filter(({ account }) => parents.has(account))
    expect(new Set(expected.map(({ description }) => description.aborted))).toEqual(new Set([true, false]))
    expect(rows.map((row) => row['transaction_hash'])).toEqual(expected.map(({ hash }) => hash))
    for (const [i, transaction] of expected.entries()) {
      const slice = bodyOf(transaction)
      expect(rows[i]).toMatchObject({
        ...shared(transaction),
        query_id: String(slice.loadUintBig(64)),
        amount: String(slice.loadCoins()),
        response_destination: addressOf(slice),
        owner: transaction.in_msg!.source,
        jetton_wallet: transaction.account,
        jetton_master: parents.get(transaction.account),
      })
    }
  })

  test('each NFT transfer, aborted or not', async () => {
    const rows = await everyRow<Row>(gateway, 'nft/transfers?sort=desc', 'nft_transfers')
    const served = new Map(rows.map((row) => [row['transaction_hash'], row]))
    const expected = asked(NFT_TRANSFER).filter(({ account }) => parents.has(account))
    expect(new Set(expected.map(({ description }) => description.aborted))).toEqual(new Set([true, false]))
    for (const transaction of expected) {
      const slice = bodyOf(transaction)
      const body = {
        query_id: String(slice.loadUintBig(64)),
        new_owner: addressOf(slice),
        response_destination: addressOf(slice),
        custom_payload: boc(slice.loadMaybeRef()),
        forward_amount: String(slice.loadCoins()),
      }
      expect(served.get(transaction.hash)).toMatchObject({
        ...shared(transaction),
        ...body,
        nft_address: transaction.account,
        nft_collection: parents.get(transaction.account) ?? '',
        old_owner: transaction.in_msg!.source,
        forward_payload: boc(payloadOf(slice)),
      })
    }
    const order = rows.map((row) => BigInt(String(row['transaction_lt'])))
    expect(order).toEqual(order.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)))
    expect(rows.length).toBeLessThanOrEqual(asked(NFT_TRANSFER).length)
  })
})
