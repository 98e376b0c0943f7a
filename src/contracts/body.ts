import { madeOnce } from '../common/made-once.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { SCHEME_TEXTS } from './schemes.ts'
import { compileSchemes, type Readable } from './tlb/compile.ts'
import { readRest } from './tlb/primitives.ts'
import { parseScheme } from './tlb/syntax.ts'
import { attempt, type Budget, createBudget, type Fields, mismatch, type Read } from './tlb/values.ts'
import { walletActions, walletMessages } from './wallet-messages.ts'

const OPCODE_BITS = 32
const MAX_BODIES = 10
const SIGNATURE_BITS = 512
/** Smaller opcodes are no hashes: many contracts have them for other things. */
const MIN_OWN_OPCODE = 0x10000

const EMPTY: Fields = Object.freeze({ '@type': 'empty_cell' })

const isEmpty = (slice: Slice): boolean => slice.remainingBits === 0 && slice.remainingRefs === 0

/** Reads nothing but what is there. */
const takingAll =
  (read: Read): Read =>
  (slice, budget) => {
    const value = read(slice, budget)
    if (!isEmpty(slice)) throw mismatch('something is left')
    return value
  }

type Table = ReadonlyMap<number, readonly Readable[]>

/** The body that a slice begins with: the first constructor of its opcode that fits. What stands behind it is left. */
const knownBody = (table: Table, slice: Slice, budget: Budget): Fields | undefined => {
  if (slice.remainingBits < OPCODE_BITS || budget.bodies >= MAX_BODIES) return undefined
  const candidates = table.get(slice.preloadUint(OPCODE_BITS))
  if (!candidates) return undefined
  budget.bodies++
  for (const { read, tag } of candidates) {
    const whole = tag < MIN_OWN_OPCODE ? takingAll(read) : read
    const found = attempt((inner) => whole(inner.skip(OPCODE_BITS), budget), slice, budget)
    if (found !== undefined) {
      budget.bodies--
      return found as Fields
    }
  }
  budget.bodies--
  return undefined
}

/** A body inside of another one: what it says, else the cell as it is. */
const nested = (table: () => Table): { inline: Read; referred: Read } => {
  const said = (slice: Slice, budget: Budget): Fields | undefined =>
    isEmpty(slice) ? EMPTY : knownBody(table(), slice, budget)
  return {
    inline: (slice, budget) => {
      const value = said(slice, budget)
      if (value === undefined) return readRest(slice, budget)
      slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs)
      return value
    },
    referred: (slice, budget) => {
      const cell = slice.ref()
      return cell.exotic ? cell : (said(beginParse(cell), budget) ?? cell)
    },
  }
}

const body = nested(() => known().bodies)
const payload = nested(() => known().payloads)

/** A layout that no opcode marks: its type, and whether bits behind the signature and references can be it at all. */
interface Layout {
  type: string
  fits(bits: number, refs: number): boolean
}

const MODE_BITS = 8

/** What wallets are sent from outside, in the order in which they are tried (contracts/v3.md 8). */
const LAYOUTS: readonly Layout[] = [
  { type: 'PreprocessedV2', fits: (bits, refs) => bits === 0 && refs === 1 },
  { type: 'HighloadV3', fits: (bits, refs) => bits === 0 && refs === 1 },
  { type: 'HighloadV2', fits: (bits, refs) => bits === 97 && refs === 1 },
  { type: 'HighloadV1', fits: (bits, refs) => bits === 97 && refs === 1 },
  { type: 'SignedV4', fits: (bits) => bits >= 104 },
  { type: 'SignedV3', fits: (bits, refs) => bits === 96 + MODE_BITS * refs },
  { type: 'SignedV2', fits: (bits, refs) => bits === 64 + MODE_BITS * refs },
  { type: 'SignedV1', fits: (bits, refs) => bits === 32 + MODE_BITS * refs },
]
const known = madeOnce(() => {
  const schemes = compileSchemes(SCHEME_TEXTS.flatMap(parseScheme), (typed) => ({
    Body: body.inline,
    '^Body': body.referred,
    Payload: payload.inline,
    '^Payload': payload.referred,
    WalletMessages: walletMessages(typed('WalletMessage')),
    W5Actions: walletActions(typed('W5Action')),
  }))
  const tableOf = (types: readonly string[]): Table =>
    Map.groupBy(
      types.flatMap((type) => schemes.constructors(type)),
      ({ tag }) => tag,
    )
  return {
    schemes,
    bodies: tableOf(['InternalMsgBody', 'ExternalMsgBody', 'ForwardPayload']),
    payloads: tableOf(['ForwardPayload', 'InternalMsgBody', 'ExternalMsgBody']),
    layouts: LAYOUTS.map(({ type, fits }) => ({ fits, read: schemes.constructors(type)[0]!.read })),
  }
})

/** Makes ready what is otherwise made when it is first used: all that the texts define. Throws SyntaxError for a fault in them. */
export const prepareBodies = (): void => known().schemes.prepare()

/** What a wallet is asked from outside, where one of the layouts takes up all of the slice. */
const walletRequest = (slice: Slice, budget: Budget): Fields | undefined => {
  const bits = slice.remainingBits - SIGNATURE_BITS
  if (bits < 0) return undefined
  const refs = slice.remainingRefs
  for (const { fits, read } of known().layouts) {
    if (!fits(bits, refs)) continue
    const found = attempt(takingAll(read), slice, budget)
    if (found !== undefined) return found as Fields
  }
  return undefined
}

/** What a body says, and what of its root cell stands behind that. */
interface Told {
  fields: Fields
  rest: Slice
}

/**
 * What a message's body or a payload says: a record of the first known constructor that fits, its integers as bigint, with
 * the bodies in it decoded as well; undefined for what is unknown. Its cost is bounded for any cell.
 */
export const readBody = (cell: Cell): Told | undefined => {
  if (cell.exotic) return undefined
  const rest = beginParse(cell)
  const told = (fields: Fields | undefined): Told | undefined => fields && { fields, rest }
  if (isEmpty(rest)) return told(EMPTY)
  const budget = createBudget()
  const { bodies } = known()
  const found = knownBody(bodies, rest, budget)
  if (found) return told(found)
  const isTaken = rest.remainingBits >= OPCODE_BITS && bodies.has(rest.preloadUint(OPCODE_BITS))
  return isTaken ? undefined : told(walletRequest(rest, budget))
}

/** What `readBody` tells of a body, whatever stands behind it. */
export const decodeBody = (cell: Cell): Fields | undefined => readBody(cell)?.fields
