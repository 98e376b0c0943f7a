import { arrayOf, BOOLEAN, type JsonSchema, object, ref, STRING } from '../json-schema.ts'
import { ADDRESS_BOOK, METADATA } from './schemas.ts'
import { ADDRESS, BOC, COUNT, DIGITS, HASH, optionals, orNull, UINT32 } from './value-schemas.ts'

/** The answers of API v3 that tell what accounts are, as JSON schemas (contracts/v3.md 5.7 to 5.9). */

/** Contracts may answer with any number: amounts, too, can be below zero. */
const INTEGER: JsonSchema = { type: 'string', pattern: '^-?[0-9]+$' }
const INTEGER_NUMBER: JsonSchema = { type: 'integer' }
const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true }
const CONTENT: JsonSchema = { type: 'object', additionalProperties: STRING, description: 'TEP-64' }
/** Beside accounts the words for addresses that name none. */
const MSG_ADDRESS: JsonSchema = {
  anyOf: [ADDRESS, { type: 'string', enum: ['addr_none', 'addr_extern', 'addr_var'] }],
}
const HASHES = { code_hash: orNull(HASH), data_hash: orNull(HASH) }

const transactionFields = {
  transaction_hash: HASH,
  transaction_lt: DIGITS,
  transaction_now: UINT32,
  transaction_aborted: BOOLEAN,
}
const customPayload = { custom_payload: orNull(BOC), decoded_custom_payload: orNull(ANY_OBJECT) }
const forwardPayload = { forward_payload: orNull(BOC), decoded_forward_payload: orNull(ANY_OBJECT) }

const jettonMaster = object({
  address: ADDRESS,
  total_supply: INTEGER,
  mintable: BOOLEAN,
  admin_address: orNull(ADDRESS),
  jetton_content: CONTENT,
  jetton_wallet_code_hash: HASH,
  ...HASHES,
  last_transaction_lt: DIGITS,
})

const mintlessInfo = object({
  amount: orNull(DIGITS),
  start_from: orNull(COUNT),
  expire_at: orNull(COUNT),
  custom_payload_api_uri: orNull(arrayOf(STRING)),
})

const jettonWallet = object(
  {
    address: ADDRESS,
    balance: INTEGER,
    owner: ADDRESS,
    jetton: ADDRESS,
    last_transaction_lt: DIGITS,
    ...HASHES,
    mintless_info: ref('JettonWalletMintlessInfo'),
  },
  ['mintless_info'],
)

const jettonTransfer = object({
  query_id: DIGITS,
  source: orNull(ADDRESS),
  destination: MSG_ADDRESS,
  amount: DIGITS,
  source_wallet: ADDRESS,
  jetton_master: ADDRESS,
  ...transactionFields,
  response_destination: MSG_ADDRESS,
  ...customPayload,
  forward_ton_amount: DIGITS,
  ...forwardPayload,
  trace_id: HASH,
})

const jettonBurn = object({
  query_id: DIGITS,
  owner: orNull(ADDRESS),
  jetton_wallet: ADDRESS,
  jetton_master: ADDRESS,
  ...transactionFields,
  amount: DIGITS,
  response_destination: MSG_ADDRESS,
  ...customPayload,
  trace_id: HASH,
})

const nftCollection = object({
  address: ADDRESS,
  owner_address: orNull(ADDRESS),
  last_transaction_lt: DIGITS,
  next_item_index: INTEGER,
  collection_content: CONTENT,
  ...HASHES,
})

const nftItem = object(
  {
    address: ADDRESS,
    init: BOOLEAN,
    index: INTEGER,
    collection_address: orNull(ADDRESS),
    owner_address: orNull(ADDRESS),
    content: CONTENT,
    last_transaction_lt: DIGITS,
    ...HASHES,
    collection: orNull(ref('NFTCollection')),
    on_sale: BOOLEAN,
    sale_contract_address: ADDRESS,
    auction_contract_address: ADDRESS,
    real_owner: ADDRESS,
  },
  ['sale_contract_address', 'auction_contract_address', 'real_owner'],
)

const nftTransfer = object({
  query_id: DIGITS,
  nft_address: ADDRESS,
  nft_collection: { anyOf: [ADDRESS, { type: 'string', const: '' }] },
  ...transactionFields,
  old_owner: orNull(ADDRESS),
  new_owner: MSG_ADDRESS,
  response_destination: MSG_ADDRESS,
  ...customPayload,
  forward_amount: DIGITS,
  ...forwardPayload,
  trace_id: HASH,
})

const getgemsSale = optionals({
  is_complete: BOOLEAN,
  full_price: INTEGER,
  marketplace_fee_address: ADDRESS,
  marketplace_fee: INTEGER,
  royalty_address: ADDRESS,
  royalty_amount: INTEGER,
})

const getgemsAuction = optionals({
  end_flag: BOOLEAN,
  end_time: INTEGER_NUMBER,
  last_bid: INTEGER,
  last_member: ADDRESS,
  min_step: INTEGER_NUMBER,
  mp_fee_address: ADDRESS,
  mp_fee_factor: INTEGER_NUMBER,
  mp_fee_base: INTEGER_NUMBER,
  royalty_fee_address: ADDRESS,
  royalty_fee_factor: INTEGER_NUMBER,
  royalty_fee_base: INTEGER_NUMBER,
  max_bid: INTEGER,
  min_bid: INTEGER,
  last_bid_at: INTEGER_NUMBER,
  is_canceled: BOOLEAN,
})

const telemint = optionals({
  token_name: STRING,
  bidder_address: ADDRESS,
  bid: INTEGER,
  bid_ts: INTEGER,
  min_bid: INTEGER,
  end_time: INTEGER_NUMBER,
  beneficiary_address: ADDRESS,
  initial_min_bid: INTEGER,
  max_bid: INTEGER,
  min_bid_step: INTEGER,
  min_extend_time: INTEGER,
  duration: INTEGER,
  royalty_numerator: INTEGER_NUMBER,
  royalty_denominator: INTEGER_NUMBER,
  royalty_destination: ADDRESS,
})

const nftSale = object(
  {
    type: { type: 'string', enum: ['getgems_sale', 'getgems_auction', 'telemint'] },
    address: ADDRESS,
    nft_address: ADDRESS,
    nft_owner_address: ADDRESS,
    marketplace_address: ADDRESS,
    created_at: INTEGER_NUMBER,
    last_transaction_lt: DIGITS,
    code_hash: HASH,
    data_hash: HASH,
    details: { anyOf: [getgemsSale, getgemsAuction, telemint] },
    nft_item: ref('NFTItem'),
  },
  ['nft_owner_address', 'marketplace_address', 'created_at', 'code_hash', 'data_hash', 'nft_item'],
)

const dnsRecord = object({
  nft_item_address: ADDRESS,
  nft_item_owner: orNull(ADDRESS),
  domain: STRING,
  dns_next_resolver: orNull(ADDRESS),
  dns_wallet: orNull(ADDRESS),
  dns_site_adnl: orNull(HASH),
  dns_storage_bag_id: orNull(HASH),
})

const orderAction = object({
  destination: orNull(ADDRESS),
  value: orNull(DIGITS),
  body_raw: orNull(BOC),
  parsed: BOOLEAN,
  error: orNull(STRING),
  parsed_body: {
    ...orNull(ANY_OBJECT),
    description: 'By parsed_body_type; numbers beyond 32 bits are decimal strings',
  },
  parsed_body_type: STRING,
  send_mode: COUNT,
})

const multisigOrder = object({
  address: ADDRESS,
  multisig_address: ADDRESS,
  order_seqno: INTEGER,
  threshold: INTEGER_NUMBER,
  sent_for_execution: BOOLEAN,
  approvals_mask: INTEGER,
  approvals_num: INTEGER_NUMBER,
  expiration_date: INTEGER_NUMBER,
  order_boc: BOC,
  signers: arrayOf(ADDRESS),
  last_transaction_lt: DIGITS,
  ...HASHES,
  actions: orNull(arrayOf(ref('OrderAction'))),
})

const multisig = object({
  address: ADDRESS,
  next_order_seqno: INTEGER,
  threshold: INTEGER_NUMBER,
  signers: arrayOf(ADDRESS),
  proposers: arrayOf(ADDRESS),
  last_transaction_lt: DIGITS,
  ...HASHES,
  orders: orNull(arrayOf(ref('MultisigOrder'))),
})

const vestingInfo = object({
  address: ADDRESS,
  start_time: INTEGER_NUMBER,
  total_duration: INTEGER_NUMBER,
  unlock_period: INTEGER_NUMBER,
  cliff_duration: INTEGER_NUMBER,
  sender_address: ADDRESS,
  owner_address: ADDRESS,
  total_amount: INTEGER,
  whitelist: arrayOf(ADDRESS),
})

/** The named schemas of the document beside those of schemas.ts. */
export const ENTITY_COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  JettonMaster: jettonMaster,
  JettonWalletMintlessInfo: mintlessInfo,
  JettonWallet: jettonWallet,
  JettonTransfer: jettonTransfer,
  JettonBurn: jettonBurn,
  NFTCollection: nftCollection,
  NFTItem: nftItem,
  NFTTransfer: nftTransfer,
  NFTSale: nftSale,
  DNSRecord: dnsRecord,
  OrderAction: orderAction,
  MultisigOrder: multisigOrder,
  Multisig: multisig,
  VestingInfo: vestingInfo,
}

const named = (key: string, component: string): JsonSchema =>
  object({ [key]: arrayOf(ref(component)), address_book: ADDRESS_BOOK, metadata: METADATA })
const booked = (key: string, component: string): JsonSchema =>
  object({ [key]: arrayOf(ref(component)), address_book: ADDRESS_BOOK })

export const JETTON_MASTERS = named('jetton_masters', 'JettonMaster')
export const JETTON_WALLETS = named('jetton_wallets', 'JettonWallet')
export const JETTON_TRANSFERS = named('jetton_transfers', 'JettonTransfer')
export const JETTON_BURNS = named('jetton_burns', 'JettonBurn')
export const NFT_COLLECTIONS = named('nft_collections', 'NFTCollection')
export const NFT_ITEMS = named('nft_items', 'NFTItem')
export const NFT_TRANSFERS = named('nft_transfers', 'NFTTransfer')
export const NFT_SALES = named('nft_sales', 'NFTSale')
export const DNS_RECORDS = booked('records', 'DNSRecord')
export const MULTISIGS = booked('multisigs', 'Multisig')
export const MULTISIG_ORDERS = booked('orders', 'MultisigOrder')
export const VESTING_CONTRACTS = booked('vesting_contracts', 'VestingInfo')
