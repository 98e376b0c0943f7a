import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { createLogger, type LogFormat, type LogLevel } from '../../../src/common/logger.ts'

const record = (level: LogLevel, format: LogFormat) => {
  const lines: string[] = []
  return { lines, logger: createLogger(level, format, (line) => lines.push(line)) }
}

describe('json', () => {
  test('one object a line, with level, time, fields and message', () => {
    const { lines, logger } = record('info', 'json')
    logger.child({ part: 'pool' }).warn({ seqno: 7 }, 'behind')
    expect(lines).toHaveLength(1)
    const line = JSON.parse(lines[0]!)
    expect(line).toMatchObject({ level: 'warn', part: 'pool', seqno: 7, msg: 'behind' })
    expect(Date.parse(line.time)).toBeGreaterThan(1_700_000_000_000)
  })

  test('lines below the level are not written', () => {
    const { lines, logger } = record('warn', 'json')
    logger.info({}, 'unheard')
    logger.error({}, 'heard')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['heard'])
  })

  test('errors keep kind, code and cause; only foreign ones a stack', () => {
    const { lines, logger } = record('info', 'json')
    const err = new TonlithError('liteserver', 'not ready', { code: 651, cause: new Error('below') })
    logger.error({ err }, 'failed')
    const written = JSON.parse(lines[0]!).err
    expect(written).toMatchObject({ kind: 'liteserver', code: 651, message: 'not ready', cause: { message: 'below' } })
    expect(written.stack).toBeUndefined()
    expect(written.cause.stack).toContain('below')
  })

  test('what a parser says of its input is left out, and where it failed is not', () => {
    const { lines, logger } = record('info', 'json')
    let cause: unknown
    try {
      JSON.parse('{"api_key": hushhush}')
    } catch (error) {
      cause = error
    }
    logger.error({ err: cause }, 'failed')
    logger.error({ err: new TonlithError('malformed', 'a row', { cause }) }, 'failed')
    expect(lines.join('')).not.toContain('hushhush')
    expect(JSON.parse(lines[0]!).err.stack).toContain('logger.test.ts')
  })

  test('values of secret fields never appear', () => {
    const { lines, logger } = record('info', 'json')
    logger.info({ api_key: 'hush-hush', headers: { 'x-api-key': 'hush-hush', authorization: 'hush-hush' } }, 'asked')
    expect(lines[0]).not.toContain('hush-hush')
  })
})

describe('pretty', () => {
  test('words from outside move no cursor and forge no line', () => {
    const { lines, logger } = record('info', 'pretty')
    const err = new TonlithError('liteserver', 'not\u001b[2Jready\u009b1m\n12:00:00.000 INFO  forged')
    logger.error({ err, reason: '\u001b]0;x\u0007' }, 'failed')
    expect(lines[0]).not.toMatch(/[^\P{Cc}\n]/u)
    expect(lines[0]).toContain('not\\u001b[2Jready\\u009b1m\n    12:00:00.000 INFO  forged')
    expect(lines[0]).toContain('reason=\\u001b]0;x\\u0007')
  })

  test('one readable line', () => {
    const { lines, logger } = record('info', 'pretty')
    logger.info({ server: '127.0.0.1:80', note: 'two words', n: 3 }, 'connected')
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}connected server=127\.0\.0\.1:80 note="two words" n=3\n$/)
  })

  test('an error and its causes stand under the line', () => {
    const { lines, logger } = record('info', 'pretty')
    logger.error(
      { err: new TonlithError('timeout', 'late', { cause: new TonlithError('connection', 'cut') }) },
      'gave up',
    )
    expect(lines[0]).toMatch(/gave up\n {4}timeout late\n {4}caused by connection cut\n$/)
  })
})
