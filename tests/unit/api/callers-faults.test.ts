import { expect, test } from 'bun:test'
import { GET_POST, method } from '../../../src/api/v2/method.ts'
import { legacyStack, stdStack } from '../../../src/api/v2/stack-param.ts'
import { get } from '../../../src/api/v3/method.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { createLogger } from '../../../src/common/logger.ts'
import { ask, type SmallChain, smallApp } from '../../support/small-app.ts'

const described = { group: 'utils', summary: 'For tests', verbs: GET_POST, result: {} } as const
const call = () => ({ '@type': 'ok' })
const fail = (): never => {
  throw new Error('inside')
}

const V2 = [
  method({ ...described, name: 'legacy', params: { stack: legacyStack({}) }, call }),
  method({ ...described, name: 'std', params: { stack: stdStack({}) }, call }),
  method({ ...described, name: 'fail', params: {}, call: fail }),
]

const v3 = (name: string, call: () => Promise<never>, needsIndex: boolean) =>
  get<Record<string, never>, SmallChain>({
    name,
    group: 'blockchain',
    summary: 'For tests',
    params: {},
    result: {},
    needsIndex,
    call,
  })

const limit = () => Promise.reject(new TonlithError('limit', 'too many rows'))
const V3 = [v3('rows', limit, true), v3('cells', limit, false), v3('slow', () => new Promise<never>(() => {}), false)]

/** A server at its default level, with the lines of its log. */
const server = () => {
  const lines: string[] = []
  const logger = createLogger('info', 'json', (line) => lines.push(line))
  const app = smallApp({
    logger,
    methods: V2,
    v3: { methods: V3, index: () => undefined },
    limits: { requestMs: 200 },
  })
  const post = (path: string, body: unknown) => ask(app, path, { method: 'POST', body: JSON.stringify(body) })
  return { lines, app, post }
}

const BUILDER = { stack: [['builder', '1']] }
const UNSUPPORTED = { stack: [{ '@type': 'tvm.stackEntryUnsupported' }] }

test('a request that cannot be read is its caller’s fault, whatever its status', async () => {
  const { lines, post, app } = server()
  expect((await post('/api/v2/legacy', BUILDER)).status).toBe(542)
  expect((await post('/api/v2/jsonRPC', { method: 'legacy', params: BUILDER })).status).toBe(542)
  expect((await post('/api/v2/jsonRPC', [{ method: 'std', params: UNSUPPORTED }])).status).toBe(200)
  expect((await post('/api/v2/std', UNSUPPORTED)).status).toBe(500)
  expect((await post('/api/v2/std', { stack: 5 })).status).toBe(422)
  expect((await ask(app, '/api/v3/rows?x=1')).status).toBe(422)
  expect(lines).toEqual([])
})

test('so is a question for too many rows, and an answer within less time than the server gives', async () => {
  const { lines, app } = server()
  expect((await ask(app, '/api/v3/rows')).status).toBe(422)
  expect((await ask(app, '/api/v3/slow?x_timeout=1')).status).toBe(504)
  expect(lines).toEqual([])
  expect((await ask(app, '/api/v3/cells')).status).toBe(500)
  expect((await ask(app, '/api/v3/slow')).status).toBe(504)
  expect(lines).toHaveLength(2)
})

test('a caller’s fault in a batch does not hide a failure of the server behind it', async () => {
  const { lines, post } = server()
  await post('/api/v2/jsonRPC', [{ method: 'legacy', params: BUILDER }, { method: 'fail' }])
  await post('/api/v2/jsonRPC', [{ method: 'fail' }, { method: 'legacy', params: BUILDER }])
  expect(lines.map((line) => JSON.parse(line).err.message)).toEqual(['inside', 'inside'])
})
