import { type Json, parseJson } from '../../src/common/lossless-json.ts'
import type { AccountStatus } from '../../src/model/account.ts'
import type { Facts, KnownAccount } from '../../src/model/known-account.ts'
import type { Trace, TraceMessage, TraceTransaction } from '../../src/model/trace.ts'
import { rawAddressUpper } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { ComputeSkipReason } from '../../src/ton/tlb/transaction-phases.ts'
import { addressOf } from './mainnet-trace.ts'

/** Traces with their actions as /traces and /emulateTrace of API v3 answered them. */

export type Answered = { readonly [key: string]: Json }

const recordOf = (json: Json | undefined): Answered =>
  typeof json === 'object' && json !== null ? (json as Answered) : {}
const listOf = (json: Json | undefined): Answered[] => (Array.isArray(json) ? json.map(recordOf) : [])
const hash = (json: Json | undefined): Buffer => Buffer.from(String(json), 'base64')
const cell = (content: Json | undefined) => parseBocRoot(hash(recordOf(content).body))

const messageOf = (json: Answered): TraceMessage => {
  const [source, destination] = [addressOf(json.source), addressOf(json.destination)]
  return {
    kind: destination ? (source ? 'internal' : 'ext_in') : 'ext_out',
    hash: hash(json.hash),
    source,
    destination,
    value: json.value ? BigInt(String(json.value)) : 0n,
    extra_currencies: Object.entries(recordOf(json.value_extra_currencies)).map(([id, amount]) => ({
      id: Number(id),
      amount: BigInt(String(amount)),
    })),
    bounce: json.bounce === true,
    bounced: json.bounced === true,
    created_lt: json.created_lt ? BigInt(String(json.created_lt)) : null,
    created_at: json.created_at ? Number(json.created_at) : null,
    opcode: json.opcode ? Number(json.opcode) : null,
    body: cell(json.message_content),
    init: recordOf(json.init_state).body ? cell(json.init_state) : null,
  }
}

const transactionOf = (json: Answered): TraceTransaction => {
  const description = recordOf(json.description)
  const compute = recordOf(description.compute_ph)
  const sent = listOf(json.out_msgs).map(messageOf)
  return {
    account: addressOf(json.account)!,
    hash: hash(json.hash),
    lt: BigInt(String(json.lt)),
    now: Number(json.now),
    descr: description.type === 'tick_tock' ? 'tick_tock' : 'ord',
    orig_status: json.orig_status as AccountStatus,
    end_status: json.end_status as AccountStatus,
    aborted: description.aborted === true,
    skipped: compute.skipped === true ? (`cskip_${compute.reason}` as ComputeSkipReason) : null,
    exit_code: typeof compute.exit_code === 'number' ? compute.exit_code : null,
    in_msg: json.in_msg ? messageOf(recordOf(json.in_msg)) : null,
    out_msgs: sent.sort((a, b) => ((a.created_lt ?? 0n) < (b.created_lt ?? 0n) ? -1 : 1)),
  }
}

const integer = (json: Json | undefined): bigint => BigInt(String(json))

/** What the answer's metadata tells of an account. */
const knownByMetadata = (json: Json | undefined): KnownAccount => {
  const known: KnownAccount = {}
  for (const info of listOf(recordOf(json).token_info)) {
    const extra = recordOf(info.extra)
    if (info.type === 'jetton_wallets')
      known.jetton_wallet = { owner: addressOf(extra.owner)!, jetton: addressOf(extra.jetton)! }
    if (info.type === 'nft_items')
      known.nft_item = {
        index: integer(info.nft_index),
        collection_address: null,
        owner_address: null,
        content: { _: 'offchain', uri: String(extra.uri ?? '') },
      }
  }
  return known
}

/** The accounts that the actions tell of as the index knew them then. */
const knownByActions = (known: Map<string, KnownAccount>, actions: readonly Answered[]): void => {
  const add = (address: Json | undefined, more: KnownAccount): void => {
    const key = addressOf(address)
    if (key) known.set(rawAddressUpper(key), { ...known.get(rawAddressUpper(key)), ...more })
  }
  for (const details of actions.map((action) => recordOf(action.details))) {
    const owner = addressOf(details.receiver)
    const jetton = addressOf(details.asset)
    if (owner && jetton) add(details.receiver_jetton_wallet, { jetton_wallet: { owner, jetton } })
    const item = addressOf(details.nft_item ?? (details.key ? details.asset : undefined))
    if (!item) continue
    const found = known.get(rawAddressUpper(item))?.nft_item
    add(rawAddressUpper(item), {
      nft_item: {
        owner_address: null,
        content: { _: 'offchain', uri: '' },
        ...found,
        index: found?.index ?? (details.nft_item_index ? integer(details.nft_item_index) : 0n),
        collection_address: addressOf(details.nft_collection),
      },
    })
    if (details.marketplace === 'getgems' && details.is_purchase === true)
      add(details.old_owner, {
        getgems_sale: {
          nft_address: item,
          nft_owner_address: addressOf(details.real_old_owner),
          marketplace_address: addressOf(details.marketplace_address),
          full_price: integer(details.price),
        },
      })
  }
}

const answeredOne = (json: Answered, metadata: Answered): AnsweredTrace => {
  const known = new Map(Object.entries(metadata).map(([address, told]) => [address, knownByMetadata(told)]))
  const actions = listOf(json.actions)
  knownByActions(known, actions)
  const transactions = Object.values(recordOf(json.transactions)).map((one) => transactionOf(recordOf(one)))
  const root = recordOf(json.trace).tx_hash
  return {
    trace: { trace_id: hash(json.trace_id ?? root), transactions },
    facts: (address) => known.get(rawAddressUpper(address)) ?? {},
    actions,
  }
}

export interface AnsweredTrace {
  trace: Trace
  facts: Facts
  /** As they were answered. */
  actions: readonly Answered[]
}

/** The traces of an answer that carry transactions and actions. */
export const answeredTraces = (text: string): AnsweredTrace[] => {
  const answer = recordOf(parseJson(text))
  const traces = answer.traces ? listOf(answer.traces) : [answer]
  return traces
    .filter((trace) => trace.transactions && trace.actions)
    .map((trace) => answeredOne(trace, recordOf(answer.metadata)))
}
