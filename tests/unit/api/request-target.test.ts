import { expect, test } from 'bun:test'
import { pathOf, targetLength } from '../../../src/api/request-target.ts'

test('the path is found behind any host, and without one', () => {
  for (const origin of ['http://localhost', 'http://x', 'http://[::1]:8081', 'https://a.example:99999', ''])
    for (const [target, path] of [
      ['/', '/'],
      ['/a/b/', '/a/b/'],
      ['//a', '//a'],
      ['/a?b=/c?d', '/a'],
      ['/?', '/'],
      ['/a%2fb#c', '/a%2fb#c'],
    ] as const)
      expect([origin, target, pathOf(origin + target)]).toEqual([origin, target, path])
})

test('the length counts path and query alone', () => {
  for (const origin of ['http://localhost', 'http://x', '']) expect(targetLength(`${origin}/a?b=c`)).toBe(6)
})
