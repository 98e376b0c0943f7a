import { WALLET_TYPES } from '../../contracts/wallet-info-codes.ts'
import { arrayOf, BOOLEAN, INT32, INT64, type JsonSchema, object, ref, STRING, typed } from '../json-schema.ts'
import { blockIdType, type Dialect } from './dialect.ts'
import { sendSchemas } from './send-schemas.ts'
import { stackSchemas } from './stack-schemas.ts'
import { tokenSchemas } from './token-schemas.ts'

const HASH = ref('Hash')
const BYTES = ref('Bytes')
const DECIMAL = ref('Int256')
const BLOCK_ID = ref('BlockIdExt')
const TRANSACTION_ID = ref('InternalTransactionId')
const EXTRA_CURRENCIES = arrayOf(ref('ExtraCurrencyBalance'))

const scalars: Record<string, JsonSchema> = {
  Address: { type: 'string', description: 'Account address' },
  Int256: { type: 'string', pattern: '^-?[0-9]+$', description: 'Integer in decimal; too large for a JSON number' },
  Hash: { type: 'string', description: '256-bit value, base64; empty where there is none' },
  Bytes: { type: 'string', description: 'Binary data (bags of cells), base64; empty where there is none' },
  AccountStateName: { type: 'string', enum: ['uninitialized', 'active', 'frozen'] },
}

const ids = (dialect: Dialect): Record<string, JsonSchema> => ({
  BlockIdExt: typed(blockIdType(dialect), {
    workchain: INT32,
    shard: { ...STRING, description: 'Signed 64-bit decimal' },
    seqno: INT32,
    root_hash: HASH,
    file_hash: HASH,
  }),
  InternalTransactionId: typed('internal.transactionId', { lt: DECIMAL, hash: HASH }),
  ExtraCurrencyBalance: typed('extraCurrency', { id: INT32, amount: DECIMAL }),
  AccountAddress: typed('accountAddress', { account_address: ref('Address') }),
  TvmCell: typed('tvm.cell', { bytes: BYTES }),
})

const utils: Record<string, JsonSchema> = {
  DetectedAddressVariant: typed('ext.utils.detectedAddressVariant', { b64: STRING, b64url: STRING }),
  DetectedAddress: typed('ext.utils.detectedAddress', {
    raw_form: STRING,
    bounceable: ref('DetectedAddressVariant'),
    non_bounceable: ref('DetectedAddressVariant'),
    given_type: { type: 'string', enum: ['raw_form', 'friendly_bounceable', 'friendly_non_bounceable'] },
    test_only: BOOLEAN,
  }),
  DetectedHash: typed('ext.utils.detectedHash', { b64: STRING, b64url: STRING, hex: STRING }),
}

const paymentChannelState = (name: string): JsonSchema =>
  typed(name, {
    signed_A: BOOLEAN,
    signed_B: BOOLEAN,
    min_A: INT64,
    min_B: INT64,
    expire_at: INT64,
    A: INT64,
    B: INT64,
  })

const paymentChannelConfig = typed('pchan.config', {
  alice_public_key: STRING,
  alice_address: ref('AccountAddress'),
  bob_public_key: STRING,
  bob_address: ref('AccountAddress'),
  init_timeout: INT32,
  close_timeout: INT32,
  channel_id: INT64,
})

const restrictedWalletConfig = typed('rwallet.config', {
  start_at: INT64,
  limits: arrayOf(typed('rwallet.limit', { seconds: INT32, value: INT64 })),
})

const accountStates: Record<string, JsonSchema> = {
  RawAccountState: typed('raw.accountState', { code: BYTES, data: BYTES, frozen_hash: HASH }),
  WalletAccountState: typed(['wallet.v3.accountState', 'wallet.v4.accountState', 'wallet.highload.v1.accountState'], {
    wallet_id: INT64,
    seqno: INT32,
  }),
  WalletIdAccountState: typed(['wallet.highload.v2.accountState', 'dns.accountState'], { wallet_id: INT64 }),
  RestrictedWalletAccountState: typed('rwallet.accountState', {
    wallet_id: INT64,
    seqno: INT32,
    unlocked_balance: INT64,
    config: restrictedWalletConfig,
  }),
  PaymentChannelAccountState: typed('pchan.accountState', {
    config: paymentChannelConfig,
    state: {
      oneOf: [
        paymentChannelState('pchan.stateInit'),
        paymentChannelState('pchan.stateClose'),
        typed('pchan.statePayout', { A: INT64, B: INT64 }),
      ],
    },
    description: STRING,
  }),
  UninitedAccountState: typed('uninited.accountState', { frozen_hash: HASH }),
}

const accounts: Record<string, JsonSchema> = {
  ...accountStates,
  AddressInformation: typed(
    'raw.fullAccountState',
    {
      balance: DECIMAL,
      extra_currencies: EXTRA_CURRENCIES,
      last_transaction_id: TRANSACTION_ID,
      block_id: BLOCK_ID,
      code: BYTES,
      data: BYTES,
      frozen_hash: HASH,
      sync_utime: INT64,
      state: ref('AccountStateName'),
      suspended: BOOLEAN,
    },
    ['suspended'],
  ),
  ExtendedAddressInformation: typed('fullAccountState', {
    address: ref('AccountAddress'),
    balance: DECIMAL,
    extra_currencies: EXTRA_CURRENCIES,
    last_transaction_id: TRANSACTION_ID,
    block_id: BLOCK_ID,
    sync_utime: INT64,
    account_state: { oneOf: Object.keys(accountStates).map(ref) },
    revision: INT32,
  }),
  WalletInformation: typed(
    'ext.accounts.walletInformation',
    {
      wallet: { ...BOOLEAN, description: 'True for the wallets that wallet_type can name' },
      balance: DECIMAL,
      account_state: ref('AccountStateName'),
      last_transaction_id: TRANSACTION_ID,
      wallet_type: { type: 'string', enum: WALLET_TYPES },
      seqno: INT64,
      wallet_id: { type: 'integer', description: 'Unsigned; 80 bits in wallet v5 beta, else 32' },
      is_signature_allowed: { ...BOOLEAN, description: 'Only of wallet v5' },
    },
    ['wallet_type', 'seqno', 'wallet_id', 'is_signature_allowed'],
  ),
}

const BLOCK_SIGNATURES: Record<string, JsonSchema> = {
  id: BLOCK_ID,
  signatures: arrayOf(typed('blocks.signature', { node_id_short: HASH, signature: BYTES })),
}

const blocks: Record<string, JsonSchema> = {
  MasterchainInfo: typed('blocks.masterchainInfo', { last: BLOCK_ID, state_root_hash: HASH, init: BLOCK_ID }),
  ConsensusBlock: typed('ext.blocks.consensusBlock', { consensus_block: INT32, timestamp: INT64 }),
  Shards: typed('blocks.shards', { shards: arrayOf(BLOCK_ID) }),
  BlockHeader: typed('blocks.header', {
    id: BLOCK_ID,
    global_id: INT32,
    version: INT32,
    after_merge: BOOLEAN,
    after_split: BOOLEAN,
    before_split: BOOLEAN,
    want_merge: BOOLEAN,
    want_split: BOOLEAN,
    validator_list_hash_short: INT32,
    catchain_seqno: INT32,
    min_ref_mc_seqno: INT32,
    is_key_block: BOOLEAN,
    prev_key_block_seqno: INT32,
    start_lt: DECIMAL,
    end_lt: DECIMAL,
    gen_utime: INT64,
    prev_blocks: arrayOf(BLOCK_ID),
  }),
  OutMsgQueueSizes: typed('blocks.outMsgQueueSizes', {
    shards: arrayOf(typed('blocks.outMsgQueueSize', { id: BLOCK_ID, size: INT64 })),
    ext_msg_queue_size_limit: INT32,
  }),
  BlockSignatures: {
    oneOf: [
      typed('blocks.blockSignatures', BLOCK_SIGNATURES),
      typed('blocks.blockSignatures.simplex', {
        ...BLOCK_SIGNATURES,
        session_id: HASH,
        slot: INT32,
        candidate: BYTES,
      }),
    ],
  },
  ShardBlockProof: typed('blocks.shardBlockProof', {
    from: BLOCK_ID,
    mc_id: BLOCK_ID,
    links: arrayOf(typed('blocks.shardBlockLink', { id: BLOCK_ID, proof: BYTES })),
    mc_proof: arrayOf(
      typed('blocks.blockLinkBack', {
        to_key_block: BOOLEAN,
        from: BLOCK_ID,
        to: BLOCK_ID,
        dest_proof: BYTES,
        proof: BYTES,
        state_proof: BYTES,
      }),
    ),
  }),
}

const MESSAGE_DATA: JsonSchema = {
  oneOf: [
    typed('msg.dataRaw', { body: BYTES, init_state: BYTES }),
    typed(['msg.dataText', 'msg.dataDecryptedText', 'msg.dataEncryptedText'], { text: BYTES }),
  ],
}

const message = (name: string, address: JsonSchema, more: Record<string, JsonSchema>): JsonSchema =>
  typed(
    name,
    {
      hash: HASH,
      source: address,
      destination: address,
      value: DECIMAL,
      extra_currencies: EXTRA_CURRENCIES,
      fwd_fee: DECIMAL,
      ihr_fee: DECIMAL,
      created_lt: DECIMAL,
      body_hash: HASH,
      msg_data: MESSAGE_DATA,
      ...more,
    },
    Object.keys(more),
  )

const transaction = (name: string, account: boolean, messageName: string): JsonSchema =>
  typed(
    name,
    {
      address: ref('AccountAddress'),
      ...(account ? { account: ref('Address') } : {}),
      utime: INT64,
      data: BYTES,
      transaction_id: TRANSACTION_ID,
      fee: DECIMAL,
      storage_fee: DECIMAL,
      other_fee: DECIMAL,
      in_msg: ref(messageName),
      out_msgs: arrayOf(ref(messageName)),
    },
    ['in_msg'],
  )

const blockTransactions = (name: string, item: string): JsonSchema =>
  typed(name, { id: BLOCK_ID, req_count: INT32, incomplete: BOOLEAN, transactions: arrayOf(ref(item)) })

const transactions: Record<string, JsonSchema> = {
  RawMessage: message('raw.message', ref('AccountAddress'), {}),
  Message: message('ext.message', ref('Address'), { message: STRING, message_decode_error: STRING }),
  Transaction: transaction('ext.transaction', true, 'Message'),
  RawTransaction: transaction('raw.transaction', false, 'RawMessage'),
  RawTransactionExt: transaction('raw.transactionExt', true, 'RawMessage'),
  Transactions: arrayOf(ref('Transaction')),
  TransactionsStd: typed('raw.transactions', {
    transactions: arrayOf(ref('RawTransaction')),
    previous_transaction_id: TRANSACTION_ID,
  }),
  ShortTransactionId: typed('blocks.shortTxId', { mode: INT32, account: ref('Address'), lt: DECIMAL, hash: HASH }),
  BlockTransactions: blockTransactions('blocks.transactions', 'ShortTransactionId'),
  BlockTransactionsExt: blockTransactions('blocks.transactionsExt', 'RawTransactionExt'),
}

const config: Record<string, JsonSchema> = {
  ConfigInfo: typed('configInfo', { config: ref('TvmCell') }),
  LibraryResult: typed('smc.libraryResult', {
    result: arrayOf(typed('smc.libraryEntry', { hash: HASH, data: BYTES })),
  }),
}

const runMethod: Record<string, JsonSchema> = {
  ...stackSchemas,
  RunMethodResult: typed('smc.runResult', {
    gas_used: INT64,
    stack: arrayOf(ref('LegacyStackEntry')),
    exit_code: INT32,
    block_id: BLOCK_ID,
    last_transaction_id: TRANSACTION_ID,
  }),
  RunMethodStdResult: typed('smc.runResult', {
    gas_used: INT64,
    stack: arrayOf(ref('TvmStackEntry')),
    exit_code: INT32,
  }),
}

const failure: Record<string, JsonSchema> = {
  ok: { type: 'boolean', const: false },
  error: STRING,
  code: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status' },
  '@extra': ref('Extra'),
}
const rpc: Record<string, JsonSchema> = { jsonrpc: STRING, id: ref('RpcId') }

const envelopes: Record<string, JsonSchema> = {
  Extra: { type: 'string', description: 'As sent by the caller, else a word of the server' },
  RpcId: { description: 'As sent by the caller; null for a list or object, which are no ids of JSON-RPC' },
  Error: object(failure),
  RpcError: object({ ...failure, ...rpc }, Object.keys(rpc)),
  RpcSuccess: object(
    { ok: { type: 'boolean', const: true }, result: {}, '@extra': ref('Extra'), ...rpc },
    Object.keys(rpc),
  ),
}

/** The named schemas of API v2 in the words of a dialect, for `components.schemas`. */
export const components = (dialect: Dialect): Record<string, JsonSchema> => ({
  ...scalars,
  ...ids(dialect),
  ...utils,
  ...accounts,
  ...tokenSchemas,
  ...blocks,
  ...transactions,
  ...runMethod,
  ...sendSchemas,
  ...config,
  ...envelopes,
})
