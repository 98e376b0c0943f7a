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

const pushInt = (value: number): string => `81${(value & 0xffff).toString(16).padStart(4, '0')}`

/** The instructions that tests are written in, as hex. */
export const TVM = {
  /** Pushes a small integer. */
  pushInt,
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
  myAddress: 'f828',
  prevBlocks: 'f83400',
  prevKeyBlock: 'f83401',
  getParam13: 'f82d',
  pushNan: '83ff',
  newBuilder: 'c8',
  /** Pushes a continuation that does nothing. */
  pushContinuation: '90',
  /** Repeats it for ever. */
  again: 'ea',
  /** Takes all the gas that there is, and as much as the integer says. */
  accept: 'f800',
  setGasLimit: 'f801',
  throwTypeCheck: 'f207',
  pushNull: '6d',
  /** Makes a tuple of the topmost value, or of the two topmost ones. */
  single: '6f01',
  pair: '6f02',
  data: 'ed44',
  setData: 'ed54',
  /** Pushes an empty cell. */
  emptyCell: 'c8c9',
  /** Runs the instructions behind it (hex, up to 15 bytes) `times` times. */
  repeat: (times: number, body: string): string => `${pushInt(times)}9${(body.length / 2).toString(16)}${body}e4`,
}

/** Root of the configuration at the end of the recorded network. */
export const recordedConfig = (): Cell => {
  const chain = recordedChain()
  const { custom } = parseShardStateUnsplit(chain.masterchain(chain.last)!.state)
  return parseMcStateExtra(custom!).config.config
}
