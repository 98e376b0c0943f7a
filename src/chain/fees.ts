import { TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import type { Fees } from '../model/fees.ts'
import { transactionFees } from '../model/fees.ts'
import type { Address } from '../ton/address.ts'
import { MASTERCHAIN } from '../ton/block-id.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import type { Cell } from '../ton/cell.ts'
import { checkExternalMessage, externalMessage, type InitialState } from '../ton/external-message.ts'
import { forwardFee } from '../ton/forward-fee.ts'
import { storageFee } from '../ton/storage-fee.ts'
import { type Account, parseAccount } from '../ton/tlb/account.ts'
import { configParam } from '../ton/tlb/config-params.ts'
import { isFundamentalSmc } from '../ton/tlb/fundamental-smc.ts'
import { parseMsgForwardPrices } from '../ton/tlb/msg-forward-prices.ts'
import { parseStoragePrices } from '../ton/tlb/storage-prices.ts'
import { tvmConfig } from '../tvm/config.ts'
import { emulateTransaction } from '../tvm/emulate.ts'
import { proveAccount, shardAccountCell } from './accounts.ts'
import { pinFor } from './arrival.ts'
import type { Chain } from './chain.ts'
import { configAt } from './config.ts'
import { findLibraries } from './libraries.ts'
import { prevBlocksAt } from './prev-blocks.ts'

/** What an external message is to bring to an account. */
export interface FeeQuery {
  body: Cell
  /** For an account that is not deployed yet; goes into the message in any case. */
  init: InitialState | undefined
  /** Every signature counts as valid. */
  ignore_chksig: boolean
  signal: StopSignal
}

const STORAGE_PRICES = 18
const MC_FORWARD_PRICES = 24
const FORWARD_PRICES = 25

const needParam = (config: Cell, index: number): Cell => {
  const value = configParam(config, index)
  if (!value) throw new TonlithError('malformed', `configuration without parameter ${index}`)
  return value
}

/** The code that the account may run: its own, and that of the message. Throws `invalid` when there is none. */
const codesOf = (account: Account, init: InitialState | undefined): Cell[] => {
  const state = account._ === 'account' ? account.storage.state : undefined
  if (state?._ === 'account_active')
    return [state.code, init?.code].filter((code) => code !== undefined && code !== null)
  if (init) return [init.code]
  const what = state?._ === 'account_frozen' ? 'frozen' : 'not deployed'
  throw new TonlithError('invalid', `account is ${what}: init_code and init_data are needed`)
}

/** What is known of a message that the account does not accept, so that there is no transaction to read it from. */
interface Rejected {
  account: Account
  address: Address
  message: Cell
  config: Cell
  now: number
}

const importFee = ({ address, message, config }: Rejected): bigint => {
  const masterchain = address.workchain === MASTERCHAIN
  if (masterchain && isFundamentalSmc(config, address.hash)) return 0n
  return forwardFee(parseMsgForwardPrices(needParam(config, masterchain ? MC_FORWARD_PRICES : FORWARD_PRICES)), message)
}

const accruedStorage = ({ account, address, config, now }: Rejected): bigint => {
  if (account._ === 'account_none') return 0n
  const { used, last_paid, due_payment } = account.storage_stat
  const masterchain = address.workchain === MASTERCHAIN
  const prices = parseStoragePrices(needParam(config, STORAGE_PRICES))
  return storageFee(prices, { used, last_paid, now, masterchain }) + (due_payment ?? 0n)
}

const rejectedFees = (rejected: Rejected): Fees => ({
  in_fwd_fee: importFee(rejected),
  storage_fee: accruedStorage(rejected),
  gas_fee: 0n,
  fwd_fee: 0n,
})

/**
 * What an account would pay for an external message with this body, if the newest masterchain block were followed by the
 * one with its transaction: the fees of that transaction, run with the configuration, the libraries and the earlier blocks
 * of the newest one. A message that the account does not accept costs its import and the storage, no gas. Throws `invalid`
 * for a message that the network would not carry and for an account without code that gets none, and what reading the
 * chain and running the TVM throw.
 */
export const estimateFee = async (chain: Chain, address: Address, query: FeeQuery): Promise<Fees> => {
  const { body, init, ignore_chksig, signal } = query
  const message = externalMessage({ dest: address, body, init })
  checkExternalMessage(message, cellToBoc(message).length)
  const pinned = await pinFor(chain, address, undefined, signal)
  const { id } = pinned
  const [proven, config] = await Promise.all([proveAccount(chain, address, pinned, signal), configAt(chain, id)])
  const account: Account = proven.account ? parseAccount(proven.account) : { _: 'account_none' }
  const now = proven.shard_block ? proven.gen_utime : pinned.gen_utime
  const executed = await emulateTransaction(
    chain.tvm,
    {
      account: shardAccountCell(proven),
      codes: codesOf(account, init),
      message,
      now,
      lt: proven.end_lt,
      rand_seed: id.root_hash,
      config: tvmConfig(config),
      ignore_chksig,
      libraries: (hashes) => findLibraries(chain, id, hashes),
      prevBlocks: () => prevBlocksAt(chain, id),
    },
    signal,
  )
  return executed.done
    ? transactionFees(executed.transaction)
    : rejectedFees({ account, address, message, config, now })
}
