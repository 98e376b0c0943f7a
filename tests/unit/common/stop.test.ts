import { expect, test } from 'bun:test'
import { createStop } from '../../../src/common/stop.ts'

test('listeners are called once, in their order, with the reason at hand', () => {
  const stop = createStop()
  const called: string[] = []
  stop.signal.addEventListener('abort', () => called.push(`first ${stop.signal.reason}`))
  stop.signal.addEventListener('abort', () => called.push('second'))
  expect(stop.signal.aborted).toBe(false)
  stop.abort('over')
  stop.abort('again')
  expect(called).toEqual(['first over', 'second'])
  expect([stop.signal.aborted, stop.signal.reason]).toEqual([true, 'over'])
})

test('a listener that was removed is not called, also by one before it', () => {
  const stop = createStop()
  const called: string[] = []
  const second = (): void => void called.push('second')
  stop.signal.addEventListener('abort', () => {
    called.push('first')
    stop.signal.removeEventListener('abort', second)
  })
  stop.signal.addEventListener('abort', second)
  stop.abort()
  expect(called).toEqual(['first'])
})

test('nobody is called for a stop of the past', () => {
  const stop = createStop()
  stop.abort()
  const called: string[] = []
  stop.signal.addEventListener('abort', () => called.push('late'))
  stop.abort()
  expect(called).toEqual([])
})
