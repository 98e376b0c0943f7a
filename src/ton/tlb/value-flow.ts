import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { type CurrencyCollection, loadCurrencyCollection, storeCurrencyCollection } from './currency.ts'
import { buildCell, malformed, parseCell } from './tag.ts'

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

const loadMoved = (slice: Slice) => ({
  from_prev_blk: loadCurrencyCollection(slice),
  to_next_blk: loadCurrencyCollection(slice),
  imported: loadCurrencyCollection(slice),
  exported: loadCurrencyCollection(slice),
})

const loadMade = (slice: Slice) => ({
  fees_imported: loadCurrencyCollection(slice),
  recovered: loadCurrencyCollection(slice),
  created: loadCurrencyCollection(slice),
  minted: loadCurrencyCollection(slice),
})

const loadValueFlow = (slice: Slice): ValueFlow => {
  const tag = slice.uint(32)
  if (tag !== VALUE_FLOW && tag !== VALUE_FLOW_V2) throw malformed('ValueFlow')
  const v2 = tag === VALUE_FLOW_V2
  const moved = parseCell(slice.ref(), loadMoved)
  const fees_collected = loadCurrencyCollection(slice)
  const burned = v2 ? loadCurrencyCollection(slice) : null
  const made = parseCell(slice.ref(), loadMade)
  return {
    _: v2 ? 'value_flow_v2' : 'value_flow',
    ...moved,
    fees_collected,
    burned,
    ...made,
  }
}

/** TL-B ValueFlow, both forms. Throws `malformed`. */
export const parseValueFlow = (cell: Cell): ValueFlow => parseCell(cell, loadValueFlow)

const storeAmounts = (builder: Builder, amounts: readonly CurrencyCollection[]): void => {
  for (const amount of amounts) storeCurrencyCollection(builder, amount)
}

const storeValueFlow = (builder: Builder, flow: ValueFlow): void => {
  const { from_prev_blk, to_next_blk, imported, exported, fees_imported, recovered, created, minted } = flow
  builder
    .uint(flow.burned ? VALUE_FLOW_V2 : VALUE_FLOW, 32)
    .ref(buildCell(storeAmounts, [from_prev_blk, to_next_blk, imported, exported]))
  storeCurrencyCollection(builder, flow.fees_collected)
  if (flow.burned) storeCurrencyCollection(builder, flow.burned)
  builder.ref(buildCell(storeAmounts, [fees_imported, recovered, created, minted]))
}

/** TL-B ^ValueFlow: the newer form when `burned` is given. */
export const buildValueFlow = (flow: ValueFlow): Cell => buildCell(storeValueFlow, flow)
