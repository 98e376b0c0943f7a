import { expect, test } from 'bun:test'
import { createTextWriter } from '../../../../src/api/v3/text-writer.ts'
import { systemClock } from '../../../../src/common/clock.ts'
import type { Page } from '../../../../src/model/index-records.ts'

const NUMBERS = Array.from({ length: 250 }, (_, i) => i)

/** Lists numbers behind a cursor of one byte. */
const read = ({ limit, offset, after }: Page) => {
  const from = (after ? after[0]! + 1 : 0) + offset
  const records = NUMBERS.slice(from, from + limit)
  const last = records.at(-1)
  return { records, next: last === undefined || last === NUMBERS.length - 1 ? null : Buffer.of(last) }
}
const page = (limit: number, more: Partial<Page> = {}): Page => ({ limit, offset: 0, sort: 'asc', ...more })
const begin = (signal = new AbortController().signal, held = { characters: 0 }) =>
  createTextWriter(systemClock, signal, held)
const writer = (signal?: AbortSignal) => begin(signal).writer

test('a page is read in pieces that follow each other', async () => {
  const seen: number[] = []
  const listed = await writer().page(
    (asked) => {
      seen.push(asked.limit)
      return read(asked)
    },
    page(100, { offset: 3 }),
    String,
  )
  expect(JSON.parse(listed.text)).toEqual(NUMBERS.slice(3, 103))
  expect(listed.next).toEqual(Buffer.of(102))
  expect(Math.max(...seen)).toBeLessThan(100)
})

test('the last page has none behind it', async () => {
  expect((await writer().page(read, page(1000), String)).next).toBeNull()
  expect(await writer().page(read, page(10, { after: Buffer.of(249) }), String)).toEqual({ text: '[]', next: null })
})

test('others have their turn in a long answer', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const slow = (record: number): string => {
    const end = performance.now() + 2
    while (performance.now() < end);
    return String(record)
  }
  await writer().list(NUMBERS, slow)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
})

test('answers that begin together share one turn', async () => {
  let now = 0
  let written = 0
  const clock = { ...systemClock, monotonic: () => now }
  const held = { characters: 0 }
  const write = (record: number): string => {
    now++
    written++
    return String(record)
  }
  const atTurns: number[] = []
  const all = Promise.all(
    Array.from({ length: 20 }, () =>
      createTextWriter(clock, new AbortController().signal, held).writer.list(NUMBERS.slice(0, 30), write),
    ),
  )
  setImmediate(() => atTurns.push(written))
  await all
  expect(atTurns[0]).toBeLessThan(40)
  expect(written).toBe(600)
})

test('an answer that nobody waits for is given up', async () => {
  const controller = new AbortController()
  controller.abort()
  const slow = (record: number): string => {
    const end = performance.now() + 2
    while (performance.now() < end);
    return String(record)
  }
  expect(writer(controller.signal).list(NUMBERS, slow)).rejects.toMatchObject({ kind: 'timeout' })
})

test('long steps that many wait for at once have a turn each', async () => {
  const held = { characters: 0 }
  let [turn, counting] = [0, true]
  const count = (): void => {
    turn++
    if (counting) setImmediate(count)
  }
  count()
  const step = async (): Promise<number> => {
    await createTextWriter(systemClock, new AbortController().signal, held).writer.turn()
    return turn
  }
  const turns = await Promise.all([step(), step(), step()])
  counting = false
  expect(new Set(turns).size).toBe(3)
  const { writer: gone } = createTextWriter(systemClock, AbortSignal.abort(), held)
  await expect(gone.turn()).rejects.toMatchObject({ kind: 'timeout' })
})

test('an answer that becomes too large is refused', async () => {
  const large = 'x'.repeat(1 << 20)
  expect(writer().list(NUMBERS, () => large)).rejects.toMatchObject({ kind: 'limit' })
})

test('all answers under way together are bounded, and what has ended counts no more', async () => {
  const held = { characters: 383 << 20 }
  const first = begin(undefined, held)
  const large = 'x'.repeat(1 << 19)
  await first.writer.list([1], () => large)
  const second = begin(undefined, held)
  expect(second.writer.list([1, 2], () => large)).rejects.toMatchObject({ kind: 'unavailable', code: 503 })
  second.end()
  first.end()
  expect(held.characters).toBe(383 << 20)
  expect(await begin(undefined, held).writer.list([1, 2], () => large)).toHaveLength((1 << 20) + 3)
})
