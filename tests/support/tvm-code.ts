import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit } from '../../src/ton/tlb/shard-state.ts'
import { recordedChain } from './recorded-chain.ts'

/** Code of a contract that runs these instructions (hex) whatever its arguments are. */
export const codeOf = (hex: string, ...refs: Cell[]): Cell => {
  const builder = beginCell().bytes(Buffer.from(hex, 'hex'))
  for (const ref of refs) builder.ref(ref)
  return builder.endCell()
}

/** The instructions that tests are written in, as hex. */
export const TVM = {
  /** Pushes a small integer. */
  pushInt: (value: number): string => `81${(value & 0xffff).toString(16).padStart(4, '0')}`,
  /** Pushes the cell behind the next reference. */
  pushRef: '88',
  drop: '30',
  /** Cell to slice: opens it. */
  ctos: 'd0',
  /** Hash of a cell, without opening it. */
  hashCell: 'f900',
  configParam: 'f832',
  configRoot: 'f829',
  balance: 'f827',
  now: 'f823',
  prevBlocks: 'f83400',
  prevKeyBlock: 'f83401',
  getParam13: 'f82d',
  pushNan: '83ff',
  newBuilder: 'c8',
  /** Pushes a continuation that does nothing. */
  pushContinuation: '90',
  /** Repeats it for ever. */
  again: 'ea',
  throwTypeCheck: 'f207',
  pushNull: '6d',
  /** Makes a tuple of the two topmost values. */
  pair: '6f02',
} as const

/** Root of the configuration at the end of the recorded network. */
export const recordedConfig = (): Cell => {
  const chain = recordedChain()
  const { custom } = parseShardStateUnsplit(chain.masterchain(chain.last)!.state)
  return parseMcStateExtra(custom!).config.config
}
