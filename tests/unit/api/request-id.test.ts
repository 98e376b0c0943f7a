import { describe, expect, test } from 'bun:test'
import { createLogger } from '../../../src/common/logger.ts'
import { ask, smallApp } from '../../support/small-app.ts'

const appWith = (logRequests: boolean) => {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger('info', 'json', (line) => lines.push(JSON.parse(line)))
  const chain = { answer: () => Promise.reject(new Error('a mistake of ours')) }
  return { app: smallApp({ logger, logRequests, chain }), lines }
}

const GOOD = '/api/v2/block'
const BAD = '/api/v2/ask'
const named = (id: string) => ({ headers: { 'x-request-id': id } })

describe('the id of a request', () => {
  test.each(['7f3a', 'a.b_c:d+e/f=-', 'x'.repeat(128)])(
    'that a caller brings comes back and stands in the log: %s',
    async (id) => {
      const { app, lines } = appWith(true)
      expect((await ask(app, GOOD, named(id))).headers.get('x-request-id')).toBe(id)
      expect((await ask(app, BAD, named(id))).headers.get('x-request-id')).toBe(id)
      expect((await ask(app, '/nowhere', named(id))).headers.get('x-request-id')).toBe(id)
      expect(lines.map((line) => line['request_id'])).toEqual([id, id, id])
    },
  )

  test.each(['x'.repeat(129), 'two words', '<b>', 'é', 'a;b', '"', '{}'])(
    'that could do harm is none: %s',
    async (id) => {
      const { app, lines } = appWith(true)
      const made = (await ask(app, GOOD, named(id))).headers.get('x-request-id')
      expect(made).toMatch(/^[0-9a-f]{24}$/)
      expect(lines.map((line) => line['request_id'])).toEqual([made])
    },
  )

  test('is made for those that fail, and for no other unless all are logged', async () => {
    const { app, lines } = appWith(false)
    expect((await ask(app, GOOD)).headers.get('x-request-id')).toBeNull()
    const failed = await ask(app, BAD)
    expect(failed.status).toBe(500)
    expect(failed.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/)
    expect(lines).toMatchObject([{ level: 'warn', request_id: failed.headers.get('x-request-id') }])
  })

  test('is that of one request alone, also where answers are given again', async () => {
    const app = smallApp()
    const first = await ask(app, '/api/v2/stored', named('first'))
    const second = await ask(app, '/api/v2/stored', named('second'))
    const third = await ask(app, '/api/v2/stored')
    expect([first, second, third].map(({ headers }) => headers.get('x-request-id'))).toEqual(['first', 'second', null])
  })
})
