import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { type DictWalk, dictEntries, dictLookup, key32 } from '../dictionary.ts'
import type { Slice } from '../slice.ts'

/** TL-B ConfigParams; `config` is the root of Hashmap 32 ^Cell. */
export interface ConfigParams {
  config_addr: Buffer
  config: Cell
}

/** TL-B ConfigParams. */
export const loadConfigParams = (slice: Slice): ConfigParams => ({ config_addr: slice.bytes(32), config: slice.ref() })

/** Writes TL-B ConfigParams. */
export const storeConfigParams = (builder: Builder, { config_addr, config }: ConfigParams): Builder =>
  builder.bytes(config_addr).ref(config)

/** The value of a configuration parameter (int32 number) below the root of the dictionary, or null. */
export const configParam = (config: Cell, index: number): Cell | null =>
  dictLookup(config, 32, key32(index))?.ref() ?? null

/** All parameters in dictionary order: 0 and up, then the negative ones ascending. */
export function* configParams(config: Cell, walk: DictWalk = {}): Generator<[index: number, value: Cell]> {
  for (const [key, value] of dictEntries(config, 32, walk)) yield [key.readInt32BE(0), value.ref()]
}
