import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'

/** The network that accounts are taken from. Both reject with TonlithError where no server answers rightly in time. */
export interface RemoteNetwork {
  /** TL-B Account; null where it provably does not exist. */
  account(address: Address, signal: AbortSignal): Promise<Cell | null>
  /** The public libraries with these hashes that there are; each cell has the hash that was asked for. */
  libraries(hashes: readonly Buffer[], signal: AbortSignal): Promise<readonly Cell[]>
}
