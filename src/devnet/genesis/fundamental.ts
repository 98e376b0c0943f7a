import { TonlithError } from '../../common/errors.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import { parseBocRoot } from '../../ton/boc.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import { parseShardStateUnsplit, shardAccount } from '../../ton/tlb/shard-state.ts'
import type { StateInit } from '../../ton/tlb/state-init.ts'
import { recordedZerostate } from '../archive.ts'
import type { NewAccount } from './account-cell.ts'
import { CONFIG_ADDRESS, ELECTOR_ADDRESS } from './config.ts'
import { CONFIG_KEY } from './keys.ts'

/** Nano-units that both contracts have at first: what they spend, fees and stakes, comes to them. */
const BALANCE = 10_000_000_000n

/** What a contract of the recorded network's zerostate was deployed with: the node's own elector and config contract. */
const recordedInit = (accounts: Cell, id: Buffer): StateInit => {
  const entry = shardAccount(accounts, id)
  const account = entry && parseAccount(entry.account)
  if (account?._ !== 'account' || account.storage.state._ !== 'account_active')
    throw new TonlithError('internal', 'the recorded zerostate lacks a contract')
  return account.storage.state
}

const fundamental = (hash: Buffer, state: StateInit): NewAccount => ({
  address: { workchain: MASTERCHAIN, hash },
  balance: { grams: BALANCE, other: null },
  state: { _: 'account_active', ...state },
  last_paid: 0,
})

/** The config contract's data: the parameters, its seqno, who may change them, and the votes. */
const configData = (config: Cell): Cell =>
  beginCell().ref(config).uint(0, 32).bytes(CONFIG_KEY.publicKey).bit(false).endCell()

/**
 * The elector, without elections, and the config contract, which the config master key commands. Their codes are the node's
 * own, as the recorded network has them.
 * @param config root of the dictionary of parameters
 */
export const fundamentalAccounts = (config: Cell): NewAccount[] => {
  const { accounts } = parseShardStateUnsplit(parseBocRoot(recordedZerostate()))
  const elector = recordedInit(accounts, ELECTOR_ADDRESS)
  const contract = recordedInit(accounts, CONFIG_ADDRESS)
  return [fundamental(ELECTOR_ADDRESS, elector), fundamental(CONFIG_ADDRESS, { ...contract, data: configData(config) })]
}
