import { TonlithError } from '../../common/errors.ts'
import { signEd25519 } from '../../liteserver/curve25519.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { externalMessage } from '../../ton/external-message.ts'
import { beginParse } from '../../ton/slice.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import { parseShardStateUnsplit, shardAccount } from '../../ton/tlb/shard-state.ts'
import { CONFIG_ADDRESS } from './config.ts'
import { CONFIG_KEY } from './keys.ts'

const SET_PARAM = 0x43665021

/** A change of one parameter, in the order of the config contract's own seqno; `valid_until` in unix seconds. */
export interface ParamChange {
  index: number
  value: Cell
  seqno: number
  valid_until: number
}

/** What the config master signs: the action, seqno and time, and the parameter. */
export const paramOrder = ({ index, value, seqno, valid_until }: ParamChange): Cell =>
  beginCell().uint(SET_PARAM, 32).uint(seqno, 32).uint(valid_until, 32).int(index, 32).ref(value).endCell()

/**
 * The external message by which the config master of the dev network sets a configuration parameter (int32 index). The
 * config contract checks parameters that it knows, and refuses those that would break the network.
 */
export const paramMessage = (change: ParamChange): Cell => {
  const order = paramOrder(change)
  const body = beginCell().bytes(signEd25519(CONFIG_KEY.seed, order.hash())).slice(beginParse(order)).endCell()
  return externalMessage({ dest: { workchain: MASTERCHAIN, hash: CONFIG_ADDRESS }, body, init: undefined })
}

/** The seqno that the config contract takes next, by a masterchain state. Throws `malformed` when it has no such contract. */
export const configSeqno = (state: Cell): number => {
  const entry = shardAccount(parseShardStateUnsplit(state).accounts, CONFIG_ADDRESS)
  const account = entry && parseAccount(entry.account)
  if (account?._ !== 'account' || account.storage.state._ !== 'account_active' || !account.storage.state.data)
    throw new TonlithError('malformed', 'masterchain state without the config contract')
  return beginParse(account.storage.state.data).uint(32)
}
