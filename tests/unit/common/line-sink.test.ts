import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import { createLineSink } from '../../../src/common/line-sink.ts'

const fakeStream = () => {
  const written: string[] = []
  const pending: (() => void)[] = []
  const stream = Object.assign(new EventEmitter(), {
    write: (text: string, done: () => void) => {
      written.push(text)
      pending.push(done)
    },
  })
  return { stream, written, take: () => pending.splice(0).forEach((done) => void done()) }
}

test('a stream that fails loses lines, and its error reaches nobody', () => {
  const { stream, written } = fakeStream()
  const write = createLineSink(stream)
  expect(stream.emit('error', new Error('no space left'))).toBe(true)
  write('later\n')
  expect(written).toEqual(['later\n'])
})

test('lines that nobody takes wait up to a bound, and flow again once they were taken', () => {
  const { stream, written, take } = fakeStream()
  const write = createLineSink(stream, 10)
  for (const line of ['1234\n', '5678\n', '9\n', 'x\n']) write(line)
  expect(written).toEqual(['1234\n', '5678\n'])
  take()
  write('again\n')
  expect(written.at(-1)).toBe('again\n')
})
