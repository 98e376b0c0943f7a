import { TonlithError } from '../common/errors.ts'
import type { RestrictedWalletAccountState, RestrictedWalletConfig } from '../model/account-state.ts'
import { dictEntries } from '../ton/dictionary.ts'
import type { Slice } from '../ton/slice.ts'
import { readAmount } from './amount.ts'

const KEY_BITS = 256
/** No account state has more leaves: it is limited to 65,536 cells. Only a tree that repeats its branches seems to. */
const MAX_LIMITS = 32_768
/** Seconds since the start, for the contract's arithmetic, when no start is set. */
const NO_START = -1n

const readConfig = (data: Slice): RestrictedWalletConfig => {
  const start_at = data.uintBig(32)
  const dict = data.maybeRef()
  data.expectEnd()
  const limits = []
  for (const [key, value] of dictEntries(dict, 32)) {
    if (limits.length === MAX_LIMITS) throw new TonlithError('limit', 'too many limits')
    limits.push({ seconds: key.readInt32BE(0), value: readAmount(value) })
  }
  limits.sort((a, b) => a.seconds - b.seconds)
  return { start_at, limits }
}

/** What the contract keeps back at the time `now`: the limit with the greatest `seconds` that have passed. */
const lockedAt = ({ start_at, limits }: RestrictedWalletConfig, now: number): bigint => {
  const passed = start_at === 0n ? NO_START : BigInt(now) - start_at
  return limits.findLast(({ seconds }) => BigInt(seconds) <= passed)?.value ?? 0n
}

/**
 * Data of the restricted wallet: seqno:uint32 wallet_id:uint32 key:bits256, then start_at:uint32 and a dictionary
 * int32 > Grams of what is locked from so many seconds after the start on. Before the first message the data ends in the
 * final key instead: nothing is locked then. `unlocked_balance` is what the get-method `balance` gives at the time `now`
 * (Unix seconds) for an account that holds `balance`. Throws `malformed` for another layout and `limit` for endless limits.
 */
export const readRestrictedWallet = (data: Slice, balance: bigint, now: number): RestrictedWalletAccountState => {
  const seqno = data.uint(32)
  const wallet_id = data.uintBig(32)
  data.skip(KEY_BITS)
  const notStarted = seqno === 0 && data.remainingBits === KEY_BITS && data.remainingRefs === 0
  const config = notStarted ? { start_at: 0n, limits: [] } : readConfig(data)
  const unlocked = balance - lockedAt(config, now)
  return { _: 'rwallet.accountState', wallet_id, seqno, unlocked_balance: unlocked > 0n ? unlocked : 0n, config }
}
