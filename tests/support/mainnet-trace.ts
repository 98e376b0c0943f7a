import { readFileSync } from 'node:fs'
import { type Json, parseJson } from '../../src/common/lossless-json.ts'
import type { AccountStatus } from '../../src/model/account.ts'
import type { Facts, KnownAccount } from '../../src/model/known-account.ts'
import type { Trace, TraceMessage, TraceTransaction } from '../../src/model/trace.ts'
import { type Address, rawAddressUpper, tryParseAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'

/**
 * Traces as data/mainnet/traces holds them: rows of the reference's tables. What a transaction sent stays in the order of
 * the rows, which is not that of lt: the actions that are expected were found in that order.
 */

type Row = { readonly [key: string]: Json }

const rowOf = (json: Json | undefined): Row => (typeof json === 'object' && json !== null ? (json as Row) : {})
const rowsOf = (json: Json | undefined): Row[] => (Array.isArray(json) ? json.map(rowOf) : [])
const text = (json: Json | undefined): string | null => (typeof json === 'string' ? json : null)
const integer = (json: Json | undefined): bigint | null => {
  if (typeof json === 'number') return BigInt(Math.round(json))
  return typeof json === 'bigint' || typeof json === 'string' ? BigInt(json) : null
}
const hash = (json: Json | undefined): Buffer => Buffer.from(text(json) ?? '', 'base64')
const boc = (json: Json | undefined) => parseBocRoot(hash(json))

/** An address in any form; null for none. */
export const addressOf = (json: Json | undefined): Address | null => {
  const given = typeof json === 'string' ? tryParseAddress(json) : undefined
  return given ? { workchain: given.workchain, hash: given.hash } : null
}

const kindOf = (source: Address | null, destination: Address | null): TraceMessage['kind'] => {
  if (!destination) return 'ext_out'
  return source ? 'internal' : 'ext_in'
}

const messageOf = (row: Row): TraceMessage => {
  const [source, destination] = [addressOf(row.source), addressOf(row.destination)]
  const opcode = integer(row.opcode)
  const init = rowOf(row.init_state).body
  return {
    kind: kindOf(source, destination),
    hash: hash(row.msg_hash),
    source,
    destination,
    value: integer(row.value) ?? 0n,
    extra_currencies: Object.entries(rowOf(row.value_extra_currencies)).map(([id, amount]) => ({
      id: Number(id),
      amount: integer(amount)!,
    })),
    bounce: row.bounce === true,
    bounced: row.bounced === true,
    created_lt: integer(row.created_lt),
    created_at: row.created_at === null ? null : Number(row.created_at),
    opcode: opcode === null ? null : Number(BigInt.asUintN(32, opcode)),
    body: boc(rowOf(row.message_content).body),
    init: init ? boc(init) : null,
  }
}

const DESCR: Readonly<Record<string, TraceTransaction['descr']>> = { ord: 'ord', tick_tock: 'tick_tock' }

const transactionOf = (row: Row): TraceTransaction => {
  const messages = rowsOf(row.messages)
  const sent = messages.filter(({ direction }) => direction === 'out').map(messageOf)
  const taken = messages.find(({ direction }) => direction === 'in')
  const exit_code = integer(row.compute_exit_code)
  return {
    account: addressOf(row.account)!,
    hash: hash(row.hash),
    lt: integer(row.lt)!,
    now: Number(row.now),
    descr: DESCR[String(row.descr)] ?? 'ord',
    orig_status: row.orig_status as AccountStatus,
    end_status: row.end_status as AccountStatus,
    aborted: row.aborted === true,
    skipped: null,
    exit_code: exit_code === null ? null : Number(exit_code),
    in_msg: taken ? messageOf(taken) : null,
    out_msgs: sent,
  }
}

const contentOf = (json: Json | undefined): NonNullable<KnownAccount['nft_item']>['content'] => {
  const attributes = Object.fromEntries(Object.entries(rowOf(json)).map(([name, value]) => [name, String(value)]))
  return { _: 'onchain', attributes }
}

const knownOf = (row: Row): KnownAccount => {
  const wallet = rowOf(row.JettonWallet)
  const item = rowOf(row.NftItem)
  const sale = rowOf(row.NftSale)
  const auction = rowOf(row.NftAuction)
  return {
    jetton_wallet: row.JettonWallet
      ? { owner: addressOf(wallet.owner)!, jetton: addressOf(wallet.jetton)! }
      : undefined,
    nft_item: row.NftItem
      ? {
          index: integer(item.index)!,
          collection_address: addressOf(item.collection_address),
          owner_address: addressOf(item.owner_address),
          content: contentOf(item.content),
        }
      : undefined,
    getgems_sale: row.NftSale
      ? {
          marketplace_address: addressOf(sale.marketplace_address),
          nft_address: addressOf(sale.nft_address)!,
          nft_owner_address: addressOf(sale.nft_owner_address),
          full_price: integer(sale.full_price)!,
        }
      : undefined,
    getgems_auction: row.NftAuction
      ? {
          marketplace_address: addressOf(auction.mp_addr),
          nft_address: addressOf(auction.nft_addr)!,
          nft_owner_address: addressOf(auction.nft_owner),
          last_bid: integer(auction.last_bid)!,
        }
      : undefined,
    data: row.data_boc ? boc(rowOf(row.data_boc).data_boc) : undefined,
  }
}

/** What was recorded of the accounts of a trace. */
const factsOf = (interfaces: Row): Facts => {
  const known = new Map(Object.entries(interfaces).map(([address, row]) => [address, knownOf(rowOf(row))]))
  return (address) => known.get(rawAddressUpper(address)) ?? {}
}

/** Reads a recorded trace. */
export const readMainnetTrace = (path: string): { trace: Trace; facts: Facts } => {
  const recorded = rowOf(parseJson(Buffer.from(Bun.gunzipSync(readFileSync(path))).toString('utf8')))
  return {
    trace: {
      trace_id: hash(rowOf(recorded.trace).trace_id),
      transactions: rowsOf(recorded.transactions).map(transactionOf),
    },
    facts: factsOf(rowOf(recorded.interfaces)),
  }
}
