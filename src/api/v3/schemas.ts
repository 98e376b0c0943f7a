import { arrayOf, BOOLEAN, INT32, type JsonSchema, object, ref, STRING } from '../json-schema.ts'
import { ACTION } from './action-schema.ts'
import {
  ADDRESS,
  BOC,
  COUNT,
  CURRENCIES,
  DIGITS,
  HASH,
  OPCODE,
  optionals,
  orNull,
  SHARD,
  STATUS,
  UINT32,
} from './value-schemas.ts'

/** The answers of API v3 as JSON schemas (contracts/v3.md 4, 5). */

const MSG_SIZE = object({ cells: DIGITS, bits: DIGITS })

const descr: JsonSchema = object(
  {
    type: {
      type: 'string',
      enum: ['ord', 'storage', 'tick_tock', 'split_prepare', 'split_install', 'merge_prepare', 'merge_install'],
    },
    aborted: BOOLEAN,
    destroyed: BOOLEAN,
    credit_first: BOOLEAN,
    is_tock: BOOLEAN,
    installed: BOOLEAN,
    storage_ph: object({ storage_fees_collected: DIGITS, storage_fees_due: DIGITS, status_change: STRING }, [
      'storage_fees_due',
    ]),
    credit_ph: object({ due_fees_collected: DIGITS, credit: DIGITS, credit_extra_currencies: CURRENCIES }, [
      'due_fees_collected',
      'credit_extra_currencies',
    ]),
    compute_ph: optionals({
      skipped: BOOLEAN,
      reason: { type: 'string', enum: ['no_state', 'bad_state', 'no_gas', 'suspended'] },
      success: BOOLEAN,
      msg_state_used: BOOLEAN,
      account_activated: BOOLEAN,
      gas_fees: DIGITS,
      gas_used: DIGITS,
      gas_limit: DIGITS,
      gas_credit: DIGITS,
      mode: INT32,
      exit_code: INT32,
      exit_arg: INT32,
      vm_steps: UINT32,
      vm_init_state_hash: HASH,
      vm_final_state_hash: HASH,
    }),
    action: object(
      {
        success: BOOLEAN,
        valid: BOOLEAN,
        no_funds: BOOLEAN,
        status_change: STRING,
        total_fwd_fees: DIGITS,
        total_action_fees: DIGITS,
        result_code: INT32,
        result_arg: INT32,
        tot_actions: INT32,
        spec_actions: INT32,
        skipped_actions: INT32,
        msgs_created: INT32,
        action_list_hash: HASH,
        tot_msg_size: MSG_SIZE,
      },
      ['total_fwd_fees', 'total_action_fees', 'result_arg'],
    ),
    bounce: object(
      {
        type: { type: 'string', enum: ['negfunds', 'nofunds', 'ok'] },
        msg_size: MSG_SIZE,
        req_fwd_fees: DIGITS,
        msg_fees: DIGITS,
        fwd_fees: DIGITS,
      },
      ['msg_size', 'req_fwd_fees', 'msg_fees', 'fwd_fees'],
    ),
    split_info: object({ cur_shard_pfx_len: INT32, acc_split_depth: INT32, this_addr: HASH, sibling_addr: HASH }),
  },
  [
    'aborted',
    'destroyed',
    'credit_first',
    'is_tock',
    'installed',
    'storage_ph',
    'credit_ph',
    'compute_ph',
    'action',
    'bounce',
    'split_info',
  ],
)

const accountState = object({
  hash: HASH,
  balance: orNull(DIGITS),
  extra_currencies: orNull(CURRENCIES),
  account_status: orNull(STATUS),
  frozen_hash: orNull(HASH),
  data_hash: orNull(HASH),
  code_hash: orNull(HASH),
})

const messageContent = object({
  hash: HASH,
  body: BOC,
  decoded: orNull({ type: 'object', additionalProperties: true }),
})

const message = object(
  {
    hash: HASH,
    source: orNull(ADDRESS),
    destination: orNull(ADDRESS),
    value: orNull(DIGITS),
    value_extra_currencies: orNull(CURRENCIES),
    fwd_fee: orNull(DIGITS),
    ihr_fee: orNull(DIGITS),
    extra_flags: orNull(DIGITS),
    created_lt: orNull(DIGITS),
    created_at: orNull(DIGITS),
    opcode: orNull(OPCODE),
    decoded_opcode: orNull(STRING),
    ihr_disabled: orNull(BOOLEAN),
    bounce: orNull(BOOLEAN),
    bounced: orNull(BOOLEAN),
    import_fee: orNull(DIGITS),
    in_msg_tx_hash: HASH,
    out_msg_tx_hash: HASH,
    message_content: ref('MessageContent'),
    init_state: orNull(ref('MessageContent')),
    hash_norm: HASH,
  },
  ['in_msg_tx_hash', 'out_msg_tx_hash', 'hash_norm'],
)

const transactionFields: Record<string, JsonSchema> = {
  account: ADDRESS,
  hash: HASH,
  lt: DIGITS,
  now: UINT32,
  mc_block_seqno: COUNT,
  trace_id: HASH,
  prev_trans_hash: HASH,
  prev_trans_lt: DIGITS,
  orig_status: STATUS,
  end_status: STATUS,
  total_fees: DIGITS,
  total_fees_extra_currencies: CURRENCIES,
  description: ref('TransactionDescr'),
  block_ref: ref('BlockId'),
  in_msg: orNull(ref('Message')),
  out_msgs: arrayOf(ref('Message')),
  account_state_before: ref('AccountState'),
  account_state_after: ref('AccountState'),
  emulated: BOOLEAN,
  finality: { type: 'string', enum: ['pending', 'confirmed', 'finalized'] },
}
const transaction = object(transactionFields)
/** One that has not happened, or whose trace has not begun. */
const pendingTransaction = object({ ...transactionFields, trace_external_hash: HASH }, [
  'trace_id',
  'trace_external_hash',
])

const block = object({
  workchain: INT32,
  shard: SHARD,
  seqno: COUNT,
  root_hash: HASH,
  file_hash: HASH,
  global_id: INT32,
  version: UINT32,
  after_merge: BOOLEAN,
  before_split: BOOLEAN,
  after_split: BOOLEAN,
  want_merge: BOOLEAN,
  want_split: BOOLEAN,
  key_block: BOOLEAN,
  vert_seqno_incr: BOOLEAN,
  flags: COUNT,
  gen_utime: DIGITS,
  start_lt: DIGITS,
  end_lt: DIGITS,
  validator_list_hash_short: INT32,
  gen_catchain_seqno: UINT32,
  min_ref_mc_seqno: UINT32,
  prev_key_block_seqno: UINT32,
  vert_seqno: UINT32,
  master_ref_seqno: UINT32,
  rand_seed: HASH,
  created_by: HASH,
  tx_count: COUNT,
  masterchain_block_ref: ref('BlockId'),
  prev_blocks: arrayOf(ref('BlockId')),
})

const traceFields: Record<string, JsonSchema> = {
  trace_id: HASH,
  external_hash: orNull(HASH),
  mc_seqno_start: DIGITS,
  mc_seqno_end: DIGITS,
  start_lt: DIGITS,
  start_utime: UINT32,
  end_lt: DIGITS,
  end_utime: UINT32,
  trace_info: object({
    trace_state: { type: 'string', enum: ['complete', 'pending', 'broken'] },
    messages: COUNT,
    transactions: COUNT,
    pending_messages: COUNT,
    classification_state: {
      type: 'string',
      enum: ['unclassified', 'ok', 'broken'],
      description: 'unclassified where actions were not asked for',
    },
  }),
  is_incomplete: BOOLEAN,
  warning: STRING,
  actions: arrayOf(ref('Action')),
  trace: ref('TraceNode'),
  transactions_order: arrayOf(HASH),
  transactions: { type: 'object', additionalProperties: ref('Transaction') },
}
const OPTIONAL_IN_TRACE = ['warning', 'trace', 'transactions_order', 'transactions'] as const
const trace = object(traceFields, [...OPTIONAL_IN_TRACE, 'actions'])
const pendingTransactions: JsonSchema = { type: 'object', additionalProperties: ref('PendingTransaction') }
const pendingTrace = object(
  { ...traceFields, trace_id: orNull(HASH), transactions: pendingTransactions },
  OPTIONAL_IN_TRACE,
)

const accountStateFull = object(
  {
    address: ADDRESS,
    account_state_hash: HASH,
    balance: DIGITS,
    extra_currencies: CURRENCIES,
    status: STATUS,
    frozen_hash: HASH,
    last_transaction_hash: HASH,
    last_transaction_lt: DIGITS,
    data_hash: HASH,
    code_hash: HASH,
    data_boc: BOC,
    code_boc: BOC,
    contract_methods: orNull(arrayOf(UINT32)),
    interfaces: arrayOf(STRING),
  },
  ['frozen_hash', 'data_hash', 'code_hash', 'data_boc', 'code_boc'],
)

const walletState = object(
  {
    address: ADDRESS,
    is_wallet: BOOLEAN,
    wallet_type: STRING,
    seqno: UINT32,
    wallet_id: COUNT,
    balance: DIGITS,
    extra_currencies: CURRENCIES,
    is_signature_allowed: BOOLEAN,
    status: STATUS,
    code_hash: HASH,
    last_transaction_hash: HASH,
    last_transaction_lt: DIGITS,
  },
  ['wallet_type', 'seqno', 'wallet_id', 'is_signature_allowed', 'code_hash'],
)

const tokenInfo: JsonSchema = optionals({
  valid: BOOLEAN,
  type: { type: 'string', enum: ['nft_items', 'nft_collections', 'jetton_masters', 'jetton_wallets'] },
  name: STRING,
  symbol: STRING,
  description: STRING,
  image: STRING,
  nft_index: STRING,
  is_nsfw: BOOLEAN,
  is_scam: BOOLEAN,
  extra: { type: 'object', additionalProperties: true },
})

/** The named schemas of the document. */
export const COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  BlockId: object({ workchain: INT32, shard: SHARD, seqno: COUNT }),
  Block: block,
  TransactionDescr: descr,
  AccountState: accountState,
  MessageContent: messageContent,
  Message: message,
  Transaction: transaction,
  PendingTransaction: pendingTransaction,
  TraceNode: object({ tx_hash: HASH, in_msg_hash: HASH, children: arrayOf(ref('TraceNode')) }, ['in_msg_hash']),
  Trace: trace,
  PendingTrace: pendingTrace,
  Action: ACTION,
  AccountStateFull: accountStateFull,
  WalletState: walletState,
  AddressBookRow: object({
    user_friendly: orNull(STRING),
    domain: orNull(STRING),
    interfaces: arrayOf(STRING),
  }),
  AddressBook: { type: 'object', additionalProperties: ref('AddressBookRow') },
  V2StackEntity: {
    ...object({ type: STRING, value: { anyOf: [STRING, arrayOf(ref('V2StackEntity'))] } }),
    description: 'num (hex), cell, slice, builder (bag of cells in base64), tuple, list',
  },
  TokenInfo: tokenInfo,
  AddressMetadata: object({ is_indexed: BOOLEAN, token_info: arrayOf(ref('TokenInfo')) }),
  Metadata: { type: 'object', additionalProperties: ref('AddressMetadata') },
  RequestError: object({ error: STRING, code: INT32 }),
}

export const BLOCK = ref('Block')
export const BLOCKS = object({ blocks: arrayOf(BLOCK) })
export const ADDRESS_BOOK = ref('AddressBook')
export const METADATA = ref('Metadata')
export const TRANSACTIONS = object({ transactions: arrayOf(ref('Transaction')), address_book: ADDRESS_BOOK })
export const MESSAGES = object({ messages: arrayOf(ref('Message')), address_book: ADDRESS_BOOK, metadata: METADATA })
export const TRACES = object({ traces: arrayOf(ref('Trace')), address_book: ADDRESS_BOOK, metadata: METADATA })
export const PENDING_TRACES = object({
  traces: arrayOf(ref('PendingTrace')),
  address_book: ADDRESS_BOOK,
  metadata: METADATA,
})
export const ACTIONS = object({
  actions: arrayOf(ref('Action')),
  address_book: ADDRESS_BOOK,
  metadata: METADATA,
})
export const PENDING_TRANSACTIONS = object({
  transactions: arrayOf(ref('PendingTransaction')),
  address_book: ADDRESS_BOOK,
})
export const EMULATED_TRACE = object(
  {
    mc_block_seqno: COUNT,
    trace: ref('TraceNode'),
    transactions: pendingTransactions,
    actions: arrayOf(ref('Action')),
    code_cells: { type: 'object', additionalProperties: BOC },
    data_cells: { type: 'object', additionalProperties: BOC },
    address_book: ADDRESS_BOOK,
    metadata: METADATA,
    rand_seed: HASH,
    is_incomplete: BOOLEAN,
  },
  ['actions', 'code_cells', 'data_cells', 'address_book', 'metadata'],
)
export const MESSAGE_STATUS = object({
  status: {
    type: 'string',
    enum: ['unknown', 'pending', 'included', 'finalised', 'failed'],
    description:
      'unknown: neither sent through this gateway nor indexed; pending: no transaction took it yet, and one may still; included: its transaction is on the chain, and its trace goes on; finalised: its trace is complete; failed: see failure',
  },
  msg_hash: orNull(HASH),
  msg_hash_norm: orNull(HASH),
  transaction_hash: orNull(HASH),
  lt: orNull(DIGITS),
  mc_block_seqno: orNull(COUNT),
  trace_id: orNull(HASH),
  failure: orNull(
    object({
      phase: {
        type: 'string',
        enum: ['delivery', 'accept', 'compute', 'action', 'bounce'],
        description:
          'delivery: no transaction takes it any more; accept: the account does not accept it; else the phase of its transaction',
      },
      code: { ...orNull(INT32), description: 'Exit code (accept, compute) or result code (action)' },
      reason: { type: 'string', description: 'In plain words' },
    }),
  ),
})
export const EVENTS = object({ events: arrayOf(ref('Trace')), address_book: ADDRESS_BOOK, metadata: METADATA })
export const ACCOUNT_STATES = object({
  accounts: arrayOf(ref('AccountStateFull')),
  address_book: ADDRESS_BOOK,
  metadata: METADATA,
})
export const WALLET_STATES = object({
  wallets: arrayOf(ref('WalletState')),
  address_book: ADDRESS_BOOK,
  metadata: METADATA,
})
export const ACCOUNT_BALANCE = object({ account: ADDRESS, balance: DIGITS })
export const ADDRESS_INFORMATION = object({
  balance: DIGITS,
  code: orNull(BOC),
  data: orNull(BOC),
  last_transaction_lt: DIGITS,
  last_transaction_hash: HASH,
  frozen_hash: orNull(HASH),
  status: STATUS,
})
export const WALLET_INFORMATION = object(
  {
    balance: DIGITS,
    wallet_type: STRING,
    seqno: UINT32,
    wallet_id: COUNT,
    last_transaction_lt: DIGITS,
    last_transaction_hash: HASH,
    status: STATUS,
  },
  ['wallet_type', 'seqno', 'wallet_id'],
)
export const DECODED = object({
  opcodes: arrayOf(STRING),
  bodies: arrayOf({ type: 'object', additionalProperties: true }),
})
export const MESSAGE_HASHES = object({ message_hash: HASH, message_hash_norm: HASH })
const FEE = object({ in_fwd_fee: COUNT, storage_fee: COUNT, gas_fee: COUNT, fwd_fee: COUNT })
export const FEES = object({ source_fees: FEE, destination_fees: arrayOf(FEE) })
export const STACK_ENTRY = ref('V2StackEntity')
export const RUN_RESULT = object({ gas_used: COUNT, exit_code: INT32, stack: arrayOf(STACK_ENTRY) })
