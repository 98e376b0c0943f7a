import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type OpenApi, type SchemaCheck, schemaCheck } from '../support/answer-schema.ts'
import { type ArchiveGateway, startArchiveGateway } from '../support/archive-gateway.ts'
import { oddRequest, writtenForms } from '../support/odd-requests.ts'

/**
 * Requests that nobody would send, with values that each parameter nearly takes, for every method over the recorded chain:
 * the answer is an envelope that fits its published schema, and never the gateway's own failure. Each is asked in three
 * ways; TONLITH_REQUESTS names another number of them than 3,000.
 */

const REQUESTS = Number(process.env['TONLITH_REQUESTS'] ?? 3_000)

const ORIGIN = 'http://localhost'
let gateway: ArchiveGateway
let check: SchemaCheck
beforeAll(async () => {
  gateway = await startArchiveGateway()
  const document = await gateway.fetch(new Request(`${ORIGIN}/openapi.json`))
  check = schemaCheck((await document.json()) as OpenApi)
})
afterAll(() => gateway.stop())

const isAnswer = async (path: string, verb: 'get' | 'post', response: Response): Promise<void> => {
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const answer = (await response.json()) as { ok: boolean; code?: number; error?: string }
  expect(answer.ok).toBe(response.status === 200)
  if (!answer.ok) expect(answer.code).toBe(response.status)
  if (response.status >= 500) expect(answer.error).not.toMatch(/internal error|cannot be used/)
  expect(check(path, verb, response.status, answer) ?? []).toEqual([])
}

test(
  'any values for any method end in an answer of the published form',
  async () => {
    await fc.assert(
      fc.asyncProperty(oddRequest, async (request) => {
        const { query, body, call } = writtenForms(request)
        const path = `/api/v2/${request.name}`
        const ask = (at: string, init?: RequestInit) => gateway.fetch(new Request(ORIGIN + at, init))
        await isAnswer(path, 'get', await ask(`${path}?${query}`))
        await isAnswer(path, 'post', await ask(path, { method: 'POST', body }))
        await isAnswer('/api/v2/jsonRPC', 'post', await ask('/api/v2/jsonRPC', { method: 'POST', body: call }))
      }),
      { numRuns: Math.ceil(REQUESTS / 3) },
    )
  },
  60_000 + 10 * REQUESTS,
)
