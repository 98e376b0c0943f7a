import { TonlithError } from '../common/errors.ts'
import type { DetectedAccount, Entity, EntityKind, EntityOf } from '../model/entities.ts'
import type { AddressIds } from './addresses.ts'
import {
  address,
  addressList,
  bytes,
  type Field,
  flag,
  int,
  itemContent,
  maybe,
  maybeAddress,
  number,
  text,
  tokenContent,
} from './entity-fields.ts'
import { readRow, rowWriter } from './row-bytes.ts'

type FieldsOf<K extends EntityKind> = { [F in Exclude<keyof EntityOf<K>, '_'>]: Field<EntityOf<K>[F]> }

/** The fields of each kind in the order in which they stand in its rows. The kinds are numbered by their place. */
const FIELDS: { [K in EntityKind]: FieldsOf<K> } = {
  jetton_master: {
    total_supply: int,
    mintable: flag,
    admin_address: maybeAddress,
    jetton_content: tokenContent,
    jetton_wallet_code_hash: bytes,
  },
  jetton_wallet: { balance: int, owner: address, jetton: address, mintless_is_claimed: maybe(flag) },
  nft_collection: { next_item_index: int, owner_address: maybeAddress, collection_content: tokenContent },
  nft_item: {
    init: flag,
    index: int,
    collection_address: maybeAddress,
    owner_address: maybeAddress,
    content: itemContent,
  },
  dns_entry: {
    nft_item_owner: maybeAddress,
    domain: text,
    dns_next_resolver: maybeAddress,
    dns_wallet: maybeAddress,
    dns_site_adnl: maybe(bytes),
    dns_storage_bag_id: maybe(bytes),
    expires_at: maybe(number),
  },
  getgems_sale: {
    is_complete: flag,
    created_at: number,
    marketplace_address: maybeAddress,
    nft_address: address,
    nft_owner_address: maybeAddress,
    full_price: int,
    marketplace_fee_address: maybeAddress,
    marketplace_fee: int,
    royalty_address: maybeAddress,
    royalty_amount: int,
  },
  getgems_auction: {
    end_flag: flag,
    end_time: number,
    marketplace_address: maybeAddress,
    nft_address: address,
    nft_owner_address: maybeAddress,
    last_bid: int,
    last_member: maybeAddress,
    min_step: int,
    mp_fee_address: maybeAddress,
    mp_fee_factor: int,
    mp_fee_base: int,
    royalty_fee_address: maybeAddress,
    royalty_fee_factor: int,
    royalty_fee_base: int,
    max_bid: int,
    min_bid: int,
    created_at: number,
    last_bid_at: number,
    is_canceled: flag,
  },
  telemint: {
    token_name: text,
    bidder_address: maybeAddress,
    bid: maybe(int),
    bid_ts: maybe(number),
    min_bid: maybe(int),
    end_time: maybe(number),
    beneficiary_address: maybeAddress,
    initial_min_bid: int,
    max_bid: int,
    min_bid_step: int,
    min_extend_time: int,
    duration: int,
    royalty_numerator: int,
    royalty_denominator: int,
    royalty_destination: maybeAddress,
  },
  multisig: { next_order_seqno: int, threshold: number, signers: addressList, proposers: addressList },
  multisig_order: {
    multisig_address: address,
    order_seqno: int,
    threshold: number,
    sent_for_execution: flag,
    approvals_mask: int,
    approvals_num: number,
    expiration_date: number,
    order_boc: bytes,
    signers: addressList,
  },
  vesting: {
    start_time: number,
    total_duration: number,
    unlock_period: number,
    cliff_duration: number,
    total_amount: int,
    sender_address: address,
    owner_address: address,
    whitelist: addressList,
  },
}

/** All kinds, by their numbers. */
export const ENTITY_KINDS = Object.keys(FIELDS) as EntityKind[]

/** The number of a kind: in keys of `entities`, and its bit in `entity_kinds`. */
export const kindNumber = (kind: EntityKind): number => ENTITY_KINDS.indexOf(kind)

/** Value of `entities`: an entity with the state of its account that it was read from. */
export interface EntityRow<K extends EntityKind = EntityKind>
  extends Pick<DetectedAccount, 'last_transaction_lt' | 'code_hash' | 'data_hash'> {
  entity: EntityOf<K>
}

const HAS_CODE = 1
const HAS_DATA = 2
const FIELD_LISTS = new Map<EntityKind, readonly (readonly [name: string, field: Field<unknown>])[]>(
  ENTITY_KINDS.map((kind) => [kind, Object.entries<Field<unknown>>(FIELDS[kind] as Record<string, Field<unknown>>)]),
)

/** The row as bytes; addresses that are new are interned: only inside a transaction that writes. */
export const encodeEntity = (
  { last_transaction_lt, code_hash, data_hash, entity }: EntityRow<EntityKind>,
  addresses: Pick<AddressIds, 'intern'>,
): Buffer => {
  const row = rowWriter()
    .u64(last_transaction_lt)
    .u8((code_hash ? HAS_CODE : 0) | (data_hash ? HAS_DATA : 0))
  for (const hash of [code_hash, data_hash]) if (hash) row.bytes(hash)
  const values: Readonly<Record<string, unknown>> = { ...entity }
  for (const [name, field] of FIELD_LISTS.get(entity._)!) field.write(row, values[name], addresses)
  return row.end()
}

/** Reads what encodeEntity wrote. Throws `malformed` for anything else. */
export const decodeEntity = <K extends EntityKind>(
  kind: K,
  bytes: Buffer,
  addresses: Pick<AddressIds, 'of'>,
): EntityRow<K> =>
  readRow('entities', bytes, (row) => {
    const last_transaction_lt = row.u64()
    const head = row.u8()
    if (head > (HAS_CODE | HAS_DATA)) throw new TonlithError('malformed', 'index: a row of entities is damaged')
    const code_hash = head & HAS_CODE ? row.bytes(32) : null
    const data_hash = head & HAS_DATA ? row.bytes(32) : null
    const values = FIELD_LISTS.get(kind)!.map(([name, field]) => [name, field.read(row, addresses)])
    if (row.rest().length > 0) throw new TonlithError('malformed', 'index: a row of entities is too long')
    const entity: Entity = Object.fromEntries([['_', kind], ...values])
    return { last_transaction_lt, code_hash, data_hash, entity: entity as EntityOf<K> }
  })
