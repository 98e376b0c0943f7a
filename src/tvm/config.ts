import { randomBytes } from 'node:crypto'
import { cellToBoc } from '../ton/boc-writer.ts'
import { type Cell, LIBRARY, PRUNED_BRANCH } from '../ton/cell.ts'
import { makeCell, withRefs } from '../ton/data-cell.ts'
import { recordProof } from '../ton/merkle.ts'
import { configParam, configParams } from '../ton/tlb/config-params.ts'
import { parseGlobalVersion } from '../ton/tlb/global-version.ts'

/** A configuration in one of the two forms that the emulator is given; `key` tells forms apart. */
export interface ConfigForm {
  readonly key: string
  /** Root of the dictionary of parameters as BoC in base64. */
  readonly boc: string
}

/** A configuration as the TVM needs it. */
export interface TvmConfig {
  /** The parameters that the TVM itself reads; what else there is, is hidden behind a library cell that exists nowhere. */
  readonly slim: ConfigForm
  /** Global version (parameter 8); 0 where the configuration names none. */
  readonly globalVersion: number
  /** True when this is the hash (hex) of a part that `slim` hides: a run that missed it did read the configuration. */
  hides(library: string): boolean
  /** True when a result (BoC) shows a part that `slim` hides, unopened. */
  showsHidden(result: Buffer): boolean
  /** All of it, made when it is first asked for. */
  full(): ConfigForm
}

const GLOBAL_VERSION = 8

/**
 * What the emulator unpacks before it starts (node: block::Config, SmartContract): global version and capabilities (8),
 * workchains (12), storage prices (18), global id (19), gas prices (20, 21), forward prices (24, 25), special contracts
 * (31), size limits (43), precompiled contracts (45).
 */
const NEEDED = [GLOBAL_VERSION, 12, 18, 19, 20, 21, 24, 25, 31, 43, 45]

const touchAll = (root: Cell): void => {
  const stack = [root]
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    cell.touch()
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
}

const libraryCell = (hash: Buffer): Cell => {
  const data = new Uint8Array(33)
  data[0] = LIBRARY
  data.set(hash, 1)
  return makeCell(data, 264, [], true)
}

/**
 * What stands for all that is hidden. Nobody can publish a library with this hash, and one cell instead of a dozen saves a
 * quarter of a short run.
 */
const HIDDEN = randomBytes(32)
const HIDDEN_HEX = HIDDEN.toString('hex')
const HIDDEN_CELL = libraryCell(HIDDEN)

/** Replaces every pruned branch of a proof. */
const hide = (cell: Cell): Cell => {
  if (cell.type === PRUNED_BRANCH) return HIDDEN_CELL
  const refs: Cell[] = []
  for (let i = 0; i < cell.refCount; i++) refs.push(hide(cell.ref(i)))
  return refs.length === 0 ? cell : withRefs(cell, refs)
}

/**
 * The needed parameters, and the way to each of them or to where it is missing; all else hidden. A parameter whose entry
 * stands on such a way is kept as well, so that the value of none can be got at, and hashed, without opening what is hidden.
 */
const slimRoot = (config: Cell): Cell => {
  const { root, proof } = recordProof(config)
  for (const index of NEEDED) configParam(root, index)
  for (const [index] of configParams(proof().ref(0), { skipPruned: true })) touchAll(configParam(root, index)!)
  return hide(proof().ref(0))
}

const formOf = (root: Cell): ConfigForm => ({
  key: root.hash().toString('hex'),
  boc: cellToBoc(root).toString('base64'),
})

const known = new WeakMap<Cell, TvmConfig>()

/** The forms of a configuration (root of Hashmap 32 ^Cell), made once for each root. Throws `malformed`. */
export const tvmConfig = (config: Cell): TvmConfig => {
  const made = known.get(config)
  if (made) return made
  const version = configParam(config, GLOBAL_VERSION)
  let full: ConfigForm | undefined
  const forms: TvmConfig = {
    slim: formOf(slimRoot(config)),
    globalVersion: version ? parseGlobalVersion(version).version : 0,
    hides: (library) => library.toLowerCase() === HIDDEN_HEX,
    showsHidden: (result) => result.includes(HIDDEN),
    full: () => {
      full ??= formOf(config)
      return full
    },
  }
  known.set(config, forms)
  return forms
}
