import { describe, expect, test } from 'bun:test'
import { createHostQueue, type Urgency } from '../../../../src/indexer/metadata/host-queue.ts'

const setup = () => {
  const queue = createHostQueue()
  return {
    queue,
    push: (uri: string, urgency: Urgency = 'known') => queue.push({ uri, host: uri.split('/')[0]! }, urgency),
    takeAll: () => {
      const uris: string[] = []
      for (let taken = queue.take(); taken; taken = queue.take()) uris.push(taken.uri)
      return uris
    },
  }
}

describe('URIs that wait', () => {
  test('are taken by urgency, and hosts in turn', () => {
    const { push, takeAll } = setup()
    for (const uri of ['a/1', 'a/2', 'a/3', 'b/1', 'c/1']) push(uri)
    push('d/1', 'new')
    push('e/1', 'asked')
    expect(takeAll()).toEqual(['e/1', 'd/1', 'a/1', 'b/1', 'c/1', 'a/2', 'a/3'])
  })

  test('wait once, and become more urgent but not less', () => {
    const { queue, push, takeAll } = setup()
    for (const uri of ['a/1', 'b/1', 'c/1']) push(uri, 'new')
    push('c/1', 'asked')
    push('c/1')
    push('b/1')
    expect(queue.size()).toBe(3)
    expect(takeAll()).toEqual(['c/1', 'a/1', 'b/1'])
    expect(queue.size()).toBe(0)
  })

  test('of one host are taken four at a time, one at a time while it does not answer', () => {
    const { queue, push, takeAll } = setup()
    for (let i = 0; i < 10; i++) push(`a/${i}`)
    expect(takeAll()).toHaveLength(4)
    queue.done('a', true)
    expect(takeAll()).toHaveLength(1)
    for (let i = 0; i < 4; i++) queue.done('a', false)
    expect(takeAll()).toHaveLength(1)
    queue.done('a', true)
    expect(takeAll()).toHaveLength(4)
  })

  test('of a host that hangs keep nobody else waiting, nor out', () => {
    const { queue, push, takeAll } = setup()
    let taken = 0
    for (let i = 0; i < 100_000; i++) if (push(`slow/${i}`)) taken++
    expect(taken).toBe(256)
    for (let i = 0; i < 20; i++) expect(push(`h${i}/1`)).toBe(true)
    expect(takeAll().filter((uri) => !uri.startsWith('slow'))).toHaveLength(20)
    expect(queue.size()).toBe(252)
  })

  test('are bounded, and leave room for what is urgent', () => {
    const { queue, push } = setup()
    for (let i = 0; i < 30_000; i++) push(`h${i}/1`)
    expect([queue.size(), queue.hasRoom()]).toEqual([10_000, false])
    for (let i = 0; i < 30_000; i++) push(`n${i}/1`, 'asked')
    expect(queue.size()).toBe(20_000)
    expect(push('h1/1', 'asked')).toBe(true)
  })
})
