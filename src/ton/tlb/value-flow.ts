import type { Cell } from '../cell.ts'
import { beginParse } from '../slice.ts'
import { type CurrencyCollection, loadCurrencyCollection } from './currency.ts'
import { malformed } from './tag.ts'

/** TL-B ValueFlow of a block, nano-units; `burned` is null in the older form, which has none. */
export interface ValueFlow {
  _: 'value_flow' | 'value_flow_v2'
  from_prev_blk: CurrencyCollection
  to_next_blk: CurrencyCollection
  imported: CurrencyCollection
  exported: CurrencyCollection
  fees_collected: CurrencyCollection
  burned: CurrencyCollection | null
  fees_imported: CurrencyCollection
  recovered: CurrencyCollection
  created: CurrencyCollection
  minted: CurrencyCollection
}

const VALUE_FLOW = 0xb8e48dfb
const VALUE_FLOW_V2 = 0x3ebf98b7

/** TL-B ValueFlow, both forms. Throws `malformed`. */
export const parseValueFlow = (cell: Cell): ValueFlow => {
  const slice = beginParse(cell)
  const tag = slice.uint(32)
  if (tag !== VALUE_FLOW && tag !== VALUE_FLOW_V2) throw malformed('ValueFlow')
  const v2 = tag === VALUE_FLOW_V2
  const moved = beginParse(slice.ref())
  const fees_collected = loadCurrencyCollection(slice)
  const burned = v2 ? loadCurrencyCollection(slice) : null
  const made = beginParse(slice.ref())
  return {
    _: v2 ? 'value_flow_v2' : 'value_flow',
    from_prev_blk: loadCurrencyCollection(moved),
    to_next_blk: loadCurrencyCollection(moved),
    imported: loadCurrencyCollection(moved),
    exported: loadCurrencyCollection(moved),
    fees_collected,
    burned,
    fees_imported: loadCurrencyCollection(made),
    recovered: loadCurrencyCollection(made),
    created: loadCurrencyCollection(made),
    minted: loadCurrencyCollection(made),
  }
}
