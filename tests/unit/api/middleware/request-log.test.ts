import { expect, test } from 'bun:test'
import { createExchange } from '../../../../src/api/exchange.ts'
import { createRequestLog } from '../../../../src/api/middleware/request-log.ts'
import { TonlithError } from '../../../../src/common/errors.ts'
import { createLogger } from '../../../../src/common/logger.ts'
import { createVirtualClock } from '../../../support/virtual-clock.ts'

const linesOf = (all: boolean): Record<string, unknown>[] => {
  const lines: string[] = []
  const log = createRequestLog(
    createLogger('trace', 'json', (line) => lines.push(line)),
    all,
    createVirtualClock(),
  )
  const request = new Request('http://localhost/api/v2/x?api_key=hidden&address=private')
  const exchange = { ...createExchange(request, '/api/v2/:method', 0), method: 'x', keyName: 'a shop' }
  log(exchange, 200, 1.23456)
  log({ ...exchange, error: new Error('inside') }, 500, 2)
  expect(lines.join()).not.toContain('hidden')
  expect(lines.join()).not.toContain('private')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('failures of the server’s side are always logged, with what went wrong', () => {
  const [line, ...more] = linesOf(false)
  expect(more).toEqual([])
  expect(line).toMatchObject({ level: 'warn', route: '/api/v2/:method', method: 'x', caller: 'a shop', status: 500 })
  expect(line?.['err']).toMatchObject({ message: 'inside' })
})

test('all requests are logged on demand', () => {
  expect(linesOf(true).map(({ level, status, ms }) => [level, status, ms])).toEqual([
    ['info', 200, 1.235],
    ['warn', 500, 2],
  ])
})

const warnings = () => {
  const lines: string[] = []
  const clock = createVirtualClock()
  const log = createRequestLog(
    createLogger('trace', 'json', (line) => lines.push(line)),
    false,
    clock,
  )
  const exchange = createExchange(new Request('http://localhost/'), '/api/v2/:method', 0)
  return { lines, clock, fail: (error: unknown, status = 500) => log({ ...exchange, error }, status, 1) }
}

test('mistakes of callers do not stand there, whatever their status; failures inside of a batch do', () => {
  const { lines, fail } = warnings()
  fail(new TonlithError('liteserver', 'block is not in db', { code: 651 }))
  fail(new TonlithError('unsupported', 'TVM: x', { code: 500 }))
  fail(new TonlithError('connection', 'the caller hung up', { code: 499 }), 499)
  expect(lines).toEqual([])
  fail(new Error('inside'), 200)
  fail(new TonlithError('unavailable', 'x'), 503)
  expect(lines).toHaveLength(2)
})

test('a flood of failures does not fill the log, but is told', async () => {
  const { lines, clock, fail } = warnings()
  for (let i = 0; i < 1_000; i++) fail(new Error('inside'))
  expect(lines).toHaveLength(20)
  await clock.advance(10_000)
  fail(new Error('inside'))
  expect(lines).toHaveLength(21)
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ left_out: 980 })
})

test('an answer that says what is not ready is no failure', () => {
  const lines: string[] = []
  const log = createRequestLog(
    createLogger('trace', 'json', (line) => lines.push(line)),
    false,
    createVirtualClock(),
  )
  log(createExchange(new Request('http://localhost/ready'), '/ready', 0), 503, 1)
  expect(lines).toEqual([])
})
