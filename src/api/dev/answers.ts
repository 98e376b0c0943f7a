import type { Json } from '../../common/lossless-json.ts'
import type { DevHead, DevLoaded, DevPayment, DevStatus } from '../../devnet/control.ts'
import { friendlyAddress, tryParseAddress } from '../../ton/address.ts'
import { arrayOf, INT32, type JsonSchema, object, STRING } from '../json-schema.ts'

const ADDRESS: JsonSchema = { ...STRING, description: 'In friendly form' }
const HASH: JsonSchema = { ...STRING, pattern: '^[0-9a-f]{64}$' }
const UNIX: JsonSchema = { type: 'integer', description: 'Unix seconds' }

/** Where the chain stands. */
export const HEAD: JsonSchema = object({ seqno: INT32, utime: UNIX })

export const LOADED: JsonSchema = object({
  seqno: INT32,
  utime: UNIX,
  accounts: { type: 'integer', description: 'How many came in' },
  present: { ...arrayOf(ADDRESS), description: 'Those that were there already' },
})

export const PAYMENT: JsonSchema = object({
  message_hash: { ...HASH, description: 'Of the external message to the faucet' },
  transaction_hash: { ...HASH, description: "Of the faucet's transaction" },
  lt: { ...STRING, description: 'Logical time of that transaction' },
  mc_seqno: { ...INT32, description: 'The masterchain block from which on the account has it' },
})

export const STATUS: JsonSchema = object({
  seqno: { ...INT32, description: 'The newest masterchain block' },
  utime: { ...UNIX, description: 'When that was made, Unix seconds' },
  now: { ...UNIX, description: "The network's clock, Unix seconds" },
  real_time: { type: 'boolean', description: 'False where the clock moves with blocks only' },
  block_interval: {
    oneOf: [{ type: 'integer' }, { type: 'null' }],
    description: 'Milliseconds between blocks; null where they are made on demand',
  },
  shards: arrayOf(object({ workchain: INT32, shard: STRING, seqno: INT32 })),
  pending: { type: 'integer', description: 'External messages that wait for a block' },
  faucet: ADDRESS,
  wallets: arrayOf(object({ version: STRING, address: ADDRESS, mnemonic: STRING })),
  contracts: arrayOf(object({ name: STRING, address: ADDRESS })),
  snapshots: arrayOf(STRING),
})

const friendly = (raw: string, bounceable: boolean): string =>
  friendlyAddress(tryParseAddress(raw)!, { bounceable, testOnly: false })

/** Contracts are shown so that what they cannot take comes back, wallets so that it does not. */
export const contractText = (raw: string): string => friendly(raw, true)
export const walletText = (raw: string): string => friendly(raw, false)

export const headJson = ({ seqno, utime }: DevHead): { [key: string]: Json } => ({ seqno, utime })

export const loadedJson = ({ accounts, present, ...head }: DevLoaded): Json => ({
  ...headJson(head),
  accounts,
  present: present.map(contractText),
})

export const paymentJson = ({ lt, message_hash, transaction_hash, mc_seqno }: DevPayment): Json => ({
  message_hash,
  transaction_hash,
  lt: String(lt),
  mc_seqno,
})

export const statusJson = ({ accounts, shards, ...rest }: DevStatus): Json => ({
  seqno: rest.seqno,
  utime: rest.utime,
  now: rest.now,
  real_time: rest.real_time,
  block_interval: rest.block_interval,
  shards: shards.map(({ workchain, shard, seqno }) => ({ workchain, shard, seqno })),
  pending: rest.pending,
  faucet: contractText(accounts.faucet),
  wallets: accounts.wallets.map(({ version, address, mnemonic }) => ({
    version,
    address: walletText(address),
    mnemonic,
  })),
  contracts: accounts.contracts.map(({ name, address }) => ({ name, address: contractText(address) })),
  snapshots: rest.snapshots,
})
