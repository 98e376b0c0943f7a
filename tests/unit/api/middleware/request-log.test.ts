import { expect, test } from 'bun:test'
import { createExchange } from '../../../../src/api/exchange.ts'
import { createRequestLog } from '../../../../src/api/middleware/request-log.ts'
import { createLogger } from '../../../../src/common/logger.ts'

const linesOf = (all: boolean): Record<string, unknown>[] => {
  const lines: string[] = []
  const log = createRequestLog(
    createLogger('trace', 'json', (line) => lines.push(line)),
    all,
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
