import { TonlithError } from '../common/errors.ts'
import { HASH_PREFIX } from './keys.ts'

/** Set in the byte of a type whose action has ancestors. */
export const HAS_ANCESTORS = 0x80

/** An action in the bytes of its trace's row, of which only what is asked for is made. */
export interface ActionView {
  /** Among those of its trace. */
  place: number
  type: number
  id(): Buffer
  /** Numbers of types. */
  ancestors(): number[]
  /** Places of its transactions among those of the trace, ascending. */
  transactions(): number[]
  /** Places of its accounts in the list in front of the row. */
  accounts(): number[]
}

/** The lists in front of a row of actions. */
export interface ActionAccounts {
  /** Interned accounts; the first `listed` of them are those under which the trace is listed. */
  ids: number[]
  listed: number
}

const cutShort = (): TonlithError => new TonlithError('malformed', 'index: a row of actions is cut short')

/**
 * Reads a row of actions one action after the other: far cheaper than to make all of them. The view is that of the action
 * for as long as `look` runs, and `bytes` must stay as they are until the end. `begin` is told what stands in front.
 * Throws `malformed`.
 */
export const scanActions = (
  bytes: Buffer,
  begin: (accounts: ActionAccounts) => void,
  look: (action: ActionView) => void,
): void => {
  const size = bytes.length
  let at = 0
  const byte = (): number => {
    if (at >= size) throw cutShort()
    return bytes[at++]!
  }
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const next = byte()
      value |= (next & 0x7f) << shift
      if (next < 0x80) break
    }
    return value >>> 0
  }
  const skip = (length: number): void => {
    at += length
    if (at > size) throw cutShort()
  }
  const skipList = (): void => {
    for (let left = varint(); left > 0; left--) while (byte() >= 0x80);
  }
  const listAt = (from: number): number[] => {
    const back = at
    at = from
    const list: number[] = []
    for (let left = varint(); left > 0; left--) list.push(varint())
    at = back
    return list
  }

  const listed = varint()
  const ids: number[] = []
  for (let left = varint(); left > 0; left--) {
    skip(4)
    ids.push(bytes.readUInt32BE(at - 4))
  }
  begin({ ids, listed })
  let [idAt, ancestorsAt, transactionsAt, accountsAt] = [0, 0, 0, 0]
  const view: ActionView = {
    place: 0,
    type: 0,
    id: () => Buffer.from(bytes.subarray(idAt, idAt + HASH_PREFIX)),
    ancestors: () => (ancestorsAt === 0 ? [] : listAt(ancestorsAt)),
    transactions: () => listAt(transactionsAt),
    accounts: () => listAt(accountsAt),
  }
  const count = varint()
  for (let place = 0; place < count; place++) {
    const head = byte()
    idAt = at
    skip(HASH_PREFIX)
    ancestorsAt = head & HAS_ANCESTORS ? at : 0
    if (ancestorsAt) skipList()
    transactionsAt = at
    skipList()
    accountsAt = at
    skipList()
    view.place = place
    view.type = head & ~HAS_ANCESTORS
    look(view)
  }
}
