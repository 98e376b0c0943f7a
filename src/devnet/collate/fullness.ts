import type { LoadClass } from './block-load.ts'
import type { Draft } from './draft.ts'

/** Class from which on no internal message, and that from which on no external one is run. */
const SOFT: LoadClass = 2
const MEDIUM: LoadClass = 3

/** True when the bound of our own on transactions is reached. */
export const hasNoTurn = ({ transactions, input }: Draft): boolean => transactions >= input.max_transactions

/** Remembers how full the block was here. */
export const noteClass = (draft: Draft): void => {
  const now = draft.load.classify()
  if (now > draft.load_class) draft.load_class = now
}

/** True when no further internal message is to be run: the soft limit, or a bound of our own. */
export const isFull = (draft: Draft): boolean => hasNoTurn(draft) || draft.load.classify() >= SOFT

/** True when no further external message is to be run. */
export const isFullForExternals = (draft: Draft): boolean => hasNoTurn(draft) || draft.load.classify() >= MEDIUM

/** Looks whether the block is full, and remembers it. */
export const checkFull = (draft: Draft): boolean => {
  draft.full = isFull(draft)
  if (draft.full) noteClass(draft)
  return draft.full
}
