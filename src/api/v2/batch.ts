import type { Clock } from '../../common/clock.ts'
import type { Json } from '../../common/lossless-json.ts'
import { nextTurn } from '../../common/next-turn.ts'
import type { Reply } from '../reply.ts'

/** Calls that a batch may have. */
export const MAX_BATCH_CALLS = 100
/** Calls of one batch that are under way at once. */
const CALLS_AT_ONCE = 8
/** Milliseconds after which a batch whose calls need nobody lets other requests have their turn. */
const TURN_MS = 5

/** Answers one entry of a batch, knowing how many characters the answers before it have. Never throws. */
export type AnswerEntry = (entry: Json, textLength: number) => Promise<Reply> | Reply

/**
 * Answers the entries of a batch, a few at a time, and gives the JSON text of the list of their answers, in the order of
 * the entries. Whatever they cost, other requests get their turn between them.
 */
export const batchText = async (
  entries: readonly Json[],
  answer: AnswerEntry,
  clock: Pick<Clock, 'monotonic'>,
): Promise<string> => {
  const texts: string[] = []
  let next = 0
  let textLength = 0
  let startedAt = clock.monotonic()
  let turn: Promise<void> | undefined
  const takeTurn = async (): Promise<void> => {
    await nextTurn()
    startedAt = clock.monotonic()
    turn = undefined
  }
  const lane = async (): Promise<void> => {
    for (let i = next++; i < entries.length; i = next++) {
      while (clock.monotonic() - startedAt > TURN_MS) {
        turn ??= takeTurn()
        await turn
      }
      const { body } = await answer(entries[i]!, textLength)
      texts[i] = String(body)
      textLength += texts[i]!.length
    }
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, lane))
  return `[${texts.join(',')}]`
}
