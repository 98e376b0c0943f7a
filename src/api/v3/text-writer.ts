import type { Clock } from '../../common/clock.ts'
import { TonlithError } from '../../common/errors.ts'
import { nextTurn } from '../../common/next-turn.ts'
import { inTurns, type Steps } from '../../common/steps.ts'
import type { Listed, Page } from '../../model/index-records.ts'

/** Milliseconds that answers may keep others waiting in one turn of the event loop, all together. */
const SLICE_MS = 6
/** Records that are read from the index at once. */
const PIECE = 25
/** Characters of one answer. */
const MAX_CHARACTERS = 96 << 20

/** One part of a page, as the index lists it: at once, or in steps between which others have their turn. */
export type ReadPiece<T> = (page: Page) => Listed<T> | Steps<Listed<T>>

/** Writes one answer, in slices of time between which others have their turn. */
export interface TextWriter {
  /**
   * Gives others their turn when that of all answers is over. Throws `timeout` when nobody waits for the answer any more.
   */
  rest(): Promise<void>
  /** Waits for a turn of its own, for a step that takes long and may be waited for by many at once. Throws as `rest` does. */
  turn(): Promise<void>
  /** Counts a text that becomes part of the answer beside a list. Throws as `list` does. */
  count(text: string): void
  /** The JSON list of what `write` gives. Throws `limit` for an answer that becomes too large. */
  list<T>(records: Iterable<T> | AsyncIterable<T>, write: (record: T) => string): Promise<string>
  /**
   * The records of a page, read in pieces that follow each other by cursor, so that what is indexed meanwhile shifts
   * nothing. `end` tells where the next page begins, once all are read; null behind the last one.
   */
  records<T>(read: ReadPiece<T>, page: Page): { records: AsyncIterable<T>; end(): Buffer | null }
  /** Reads the records of a page and writes each of them. */
  page<T>(read: ReadPiece<T>, page: Page, write: (record: T) => string): Promise<{ text: string; next: Buffer | null }>
}

/** Characters of all answers that are being written. */
const MAX_HELD_CHARACTERS = 384 << 20

/** What all answers under way hold together. */
export interface HeldText {
  characters: number
  /** When the first of them began to be written in this turn of the event loop. */
  turn?: number | undefined
}

/** Makes the writer of one answer, and what ends it: then its text counts no more. */
export const createTextWriter = (
  clock: Clock,
  signal: AbortSignal,
  held: HeldText,
): { writer: TextWriter; end(): void } => {
  let characters = 0

  const turn = (): number => {
    if (held.turn !== undefined) return held.turn
    setImmediate(() => {
      held.turn = undefined
    })
    held.turn = clock.monotonic()
    return held.turn
  }
  turn()

  const isOver = (): boolean => clock.monotonic() - turn() >= SLICE_MS

  const yieldTurn = async (): Promise<void> => {
    await nextTurn()
    if (signal.aborted) throw new TonlithError('timeout', 'nobody waits for the answer')
    held.turn = clock.monotonic()
  }

  const rest = async (): Promise<void> => {
    if (isOver()) await yieldTurn()
  }

  const whole = async <T>(read: Listed<T> | Steps<Listed<T>>): Promise<Listed<T>> =>
    'records' in read ? read : inTurns(read, yieldTurn)

  const count = (text: string): void => {
    characters += text.length
    held.characters += text.length
    if (held.characters > MAX_HELD_CHARACTERS)
      throw new TonlithError('unavailable', 'too many large answers under way', { code: 503 })
    if (characters > MAX_CHARACTERS)
      throw new TonlithError('limit', `the answer is larger than ${MAX_CHARACTERS >> 20} MiB: ask with a lower limit`)
  }

  const list: TextWriter['list'] = async (records, write) => {
    const parts: string[] = []
    for await (const record of records) {
      const text = write(record)
      count(text)
      parts.push(text)
      if (isOver()) await rest()
    }
    return `[${parts.join(',')}]`
  }

  const records: TextWriter['records'] = (read, { limit, offset, sort, after }) => {
    let place: Buffer | null = null
    const pieces = async function* () {
      let from: Pick<Page, 'offset' | 'after'> = { offset, after }
      for (let left = limit; left > 0; ) {
        const piece = await whole(read({ limit: Math.min(left, PIECE), sort, ...from }))
        yield* piece.records
        left -= piece.records.length
        place = piece.next
        if (!place) return
        from = { offset: 0, after: place }
        await rest()
      }
    }
    return { records: pieces(), end: () => place }
  }

  const page: TextWriter['page'] = async (read, asked, write) => {
    const found = records(read, asked)
    return { text: await list(found.records, write), next: found.end() }
  }

  const end = (): void => {
    held.characters -= characters
    characters = 0
  }
  return { writer: { rest, turn: yieldTurn, count, list, records, page }, end }
}
