import { hash } from 'node:crypto'
import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { serializeBoc } from '../../ton/boc-writer.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { buildAugDict } from '../../ton/dictionary-writer.ts'
import { beginParse } from '../../ton/slice.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY, storeCurrencyCollection } from '../../ton/tlb/currency.ts'
import { depthBalanceAug } from '../../ton/tlb/shard-state.ts'
import { parseCatchainConfig, parseValidatorSet } from '../../ton/tlb/validators.ts'
import { validatorSubset } from '../../ton/validator-set.ts'
import type { Zerostate } from '../chain.ts'
import type { AccountImport } from '../collate/collation.ts'
import { CONFIG_ADDRESS } from './config.ts'

const NO_SEQNO = 0xffffffff
/** The node's tools leave the marker bit of the shard id in the prefix of a workchain's zerostate. */
const MARKER = 1n << 63n

/** The balance that a TL-B ShardAccount holds. */
const balanceOf = (shardAccount: Cell): CurrencyCollection => {
  const account = parseAccount(shardAccount.ref(0))
  return account._ === 'account' ? account.storage.balance : NO_CURRENCY
}

/** TL-B ShardAccounts over accounts of one workchain. */
const accountsDict = (accounts: readonly AccountImport[]) =>
  buildAugDict(
    accounts.map(({ address, account }) => ({
      key: address.hash,
      store: (builder) => builder.slice(beginParse(account)),
      extra: { split_depth: 0, balance: balanceOf(account) },
    })),
    256,
    depthBalanceAug,
  )

/** What the state of any workchain starts from. */
export interface ZerostateParts {
  /** Configuration parameter 19. */
  global_id: number
  /** Unix seconds. */
  gen_utime: number
  accounts: readonly AccountImport[]
}

interface StateParts extends ZerostateParts {
  workchain: number
  custom?: (balance: CurrencyCollection) => Cell
}

/** TL-B OutMsgQueueInfo of a state before any block: nothing queued, nothing processed, in the form without `extra`. */
const emptyQueue = (): Cell => beginCell().bit(false).uint(0, 64).bit(false).bit(false).endCell()

/** TL-B ShardStateUnsplit of an unsplit workchain before any block. */
const stateCell = ({ workchain, global_id, gen_utime, accounts, custom }: StateParts): Cell => {
  const dict = accountsDict(accounts)
  const { balance } = dict.extra
  const accountsCell = beginCell().maybeRef(dict.root)
  depthBalanceAug.store(accountsCell, dict.extra)
  const totals = beginCell().uint(0, 64).uint(0, 64)
  storeCurrencyCollection(totals, balance)
  storeCurrencyCollection(totals, NO_CURRENCY).bit(false).bit(false)
  return beginCell()
    .uint(0x9023afe2, 32)
    .int(global_id, 32)
    .uint(0, 8)
    .int(workchain, 32)
    .uint(workchain === MASTERCHAIN ? 0n : MARKER, 64)
    .uint(0, 32)
    .uint(0, 32)
    .uint(gen_utime, 32)
    .uint(0, 64)
    .uint(NO_SEQNO, 32)
    .ref(emptyQueue())
    .bit(false)
    .ref(accountsCell.endCell())
    .ref(totals.endCell())
    .maybeRef(custom?.(balance))
    .endCell()
}

const zerostate = (parts: StateParts): Zerostate => {
  const root = stateCell(parts)
  const data = serializeBoc([root], { index: true, crc: true, cacheBits: true, storedHashes: true })
  const file_hash = hash('sha256', data, 'buffer')
  const id = { workchain: parts.workchain, shard: SHARD_ALL, seqno: 0, root_hash: root.hash(), file_hash }
  return { id, data, root }
}

/** What the header of the masterchain's first blocks will call gen_validator_list_hash_short. */
const validatorHash = (config: Cell): number => {
  const set = parseValidatorSet(configParam(config, 34)!)
  const rules = parseCatchainConfig(configParam(config, 28)!)
  return validatorSubset(set, rules, { workchain: MASTERCHAIN, shard: SHARD_ALL }, 0).validator_list_hash_short
}

/** TL-B McStateExtra before any block: no shards yet, and the validators of the configuration. */
const masterchainExtra = (config: Cell, global_balance: CurrencyCollection): Cell => {
  const history = beginCell()
    .uint(0, 16)
    .uint(validatorHash(config), 32)
    .uint(0, 32)
    .bit(true)
    .bit(false)
    .bit(false)
    .uint(0, 64)
    .bit(true)
    .bit(false)
    .endCell()
  const extra = beginCell().uint(0xcc26, 16).bit(false).bytes(CONFIG_ADDRESS).ref(config).ref(history)
  return storeCurrencyCollection(extra, global_balance).endCell()
}

/** The zerostate of the basechain, which has no shards yet (node: create-state). */
export const basechainZerostate = (parts: ZerostateParts): Zerostate => zerostate({ ...parts, workchain: 0 })

/**
 * The zerostate of the masterchain. Its global balance is that of its accounts and `elsewhere`, the balance of the
 * basechain.
 * @param config root of the dictionary of parameters
 */
export const masterchainZerostate = (parts: ZerostateParts, config: Cell, elsewhere: CurrencyCollection): Zerostate =>
  zerostate({
    ...parts,
    workchain: MASTERCHAIN,
    custom: (balance) => masterchainExtra(config, addCurrencies(balance, elsewhere)),
  })
