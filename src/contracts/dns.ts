import type { DnsAccountState } from '../model/account-state.ts'
import type { Slice } from '../ton/slice.ts'

/** Data of the manual DNS contract: wallet_id:uint32 and what follows. Throws `malformed` when the data is too short. */
export const readDns = (data: Slice): DnsAccountState => ({ _: 'dns.accountState', wallet_id: data.uintBig(32) })
