import type { Fees } from '../../../model/fees.ts'
import type { Cell } from '../../../ton/cell.ts'
import { normalizedMessageHash } from '../../../ton/message-hash.ts'
import type { Neutral } from '../dialect.ts'

export const OK: Neutral = { '@type': 'ok' }

/** `raw.extMessageInfo`: the hash of the message as it was sent, and the one by which all of its forms are known. */
export const extMessageInfo = (root: Cell): Neutral => ({
  '@type': 'raw.extMessageInfo',
  hash: root.hash(),
  hash_norm: normalizedMessageHash(root),
})

/** `query.fees`; what the message's destinations will pay is not part of it, as in the reference. */
export const queryFees = ({ in_fwd_fee, storage_fee, gas_fee, fwd_fee }: Fees): Neutral => ({
  '@type': 'query.fees',
  source_fees: { '@type': 'fees', in_fwd_fee, storage_fee, gas_fee, fwd_fee },
  destination_fees: [],
})
