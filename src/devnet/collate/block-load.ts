import type { Cell } from '../../ton/cell.ts'
import type { BlockLimits, ParamLimits } from '../../ton/tlb/block-limits.ts'

/** How full a block is: 0 less than underload, 1 normal, 2 above the soft limit, 3 half way to the hard one, 4 above it. */
export type LoadClass = 0 | 1 | 2 | 3 | 4

/** What a block has used of its limits (node: BlockLimitStatus). */
export interface BlockLoad {
  addGas(gas: bigint): void
  addLt(lt: bigint): void
  /** A transaction and the account that it changes; `first` for the first one of the account. */
  addTransaction(transaction: Cell, first: boolean): void
  /** Cells that the block holds; those that were added before do not count again. */
  addCells(root: Cell): void
  classify(): LoadClass
}

const BLOCK_BYTES = 2000
const CELL_BYTES = 12
const REF_BYTES = 3
const ENTRY_BYTES = 200
/** What the change of an account's path in the state takes, beside its own cells. */
const ACCOUNT_PROOF_BYTES = 600

const classOf = ({ underload, soft_limit, hard_limit }: ParamLimits, value: number): LoadClass => {
  if (value < underload) return 0
  if (value < soft_limit) return 1
  if (value < (soft_limit + hard_limit) >> 1) return 2
  return value < hard_limit ? 3 : 4
}

/** Starts to measure a block whose logical time begins with `start_lt`. */
export const blockLoad = (limits: BlockLimits, start_lt: bigint): BlockLoad => {
  const seen = new Set<string>()
  let gas = 0n
  let lt = start_lt
  let bytes = BLOCK_BYTES
  const addCells = (root: Cell): void => {
    const stack = [root]
    for (let cell = stack.pop(); cell; cell = stack.pop()) {
      bytes += REF_BYTES
      const key = cell.hash().toString('latin1')
      if (seen.has(key)) continue
      seen.add(key)
      bytes += CELL_BYTES + cell.bits / 8
      for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
    }
  }
  return {
    addGas: (more) => {
      gas += more
    },
    addLt: (to) => {
      if (to > lt) lt = to
    },
    addTransaction: (transaction, first) => {
      bytes += ENTRY_BYTES + (first ? ENTRY_BYTES + ACCOUNT_PROOF_BYTES : 0)
      addCells(transaction)
    },
    addCells,
    classify: () =>
      Math.max(
        classOf(limits.bytes, bytes),
        classOf(limits.gas, Number(gas)),
        classOf(limits.lt_delta, Number(lt - start_lt)),
      ) as LoadClass,
  }
}
