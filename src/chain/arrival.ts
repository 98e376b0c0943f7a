import { isTonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import type { Address } from '../ton/address.ts'
import { type Pinned, pinBlock } from './blocks.ts'
import type { Chain } from './chain.ts'

/**
 * Where the newest state of an account is to be read, on a network that takes accounts in when they are first asked for:
 * resolves when the head shows the account, or when it will not come. Elsewhere it does at once.
 */
export const awaitAccount = async (
  { arrive, pool }: Chain,
  address: Address,
  signal: StopSignal | undefined,
): Promise<void> => {
  if (!arrive) return
  try {
    await pool.waitForHead(await arrive(address), { signal })
  } catch (error) {
    // It is read as it is then.
    if (!isTonlithError(error)) throw error
  }
}

/** The masterchain block with this seqno, or the newest one once that shows the account: see awaitAccount. */
export const pinFor = async (
  chain: Chain,
  address: Address,
  seqno: number | undefined,
  signal: StopSignal,
): Promise<Pinned> => {
  if (seqno === undefined) await awaitAccount(chain, address, signal)
  return pinBlock(chain, seqno, signal)
}
