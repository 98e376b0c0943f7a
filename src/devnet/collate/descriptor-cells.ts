import type { Cell } from '../../ton/cell.ts'
import type { CurrencyCollection } from '../../ton/tlb/currency.ts'
import { buildInMsg, type ImportFees, type InMsg } from '../../ton/tlb/in-msg.ts'
import { buildOutMsg, type OutMsg } from '../../ton/tlb/out-msg.ts'
import type { Draft } from './draft.ts'

/** Puts an entry into InMsgDescr under the hash of its message; gives its cell. */
export const recordIn = (draft: Draft, hash: Buffer, entry: InMsg, extra: ImportFees): Cell => {
  const cell = buildInMsg(entry)
  draft.in_msgs.add(hash, entry, extra)
  draft.load.addCells(cell)
  return cell
}

/** Puts an entry into OutMsgDescr under the hash of its message. */
export const recordOut = (draft: Draft, hash: Buffer, entry: OutMsg, extra: CurrencyCollection): void => {
  draft.out_msgs.add(hash, entry, extra)
  draft.load.addCells(buildOutMsg(entry))
}
