import { expect, test } from 'bun:test'
import { createReload } from '../../../src/cli/reload-on-signal.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { createLogger } from '../../../src/common/logger.ts'
import { type Resolved, resolveSettings } from '../../../src/config/resolve.ts'

const file = (values: Record<string, unknown>): Resolved =>
  resolveSettings('serve', { flags: new Map(), env: {}, file: { path: '/x/tonlith.toml', values }, folder: '/x' })

test('each signal is a line in the log', async () => {
  const current = file({ keyless_rps: 5 })
  const lines: Record<string, unknown>[] = []
  const logger = createLogger('info', 'json', (line) => lines.push(JSON.parse(line)))
  let next = (): Resolved => current
  let reloads = 0
  const reload = createReload(
    current,
    async () => next(),
    logger,
    () => {
      reloads++
    },
  )
  const told = async (): Promise<unknown> => {
    lines.length = 0
    await reload()
    return lines.map(({ time: _, ...rest }) => rest)
  }

  expect(await told()).toEqual([{ level: 'info', msg: 'settings were read again; nothing changed' }])
  next = () => file({ keyless_rps: 6, log: 'json' })
  expect(await told()).toEqual([
    { level: 'warn', settings: ['log'], msg: 'settings that changed count from the next start on' },
    { level: 'info', keyless_rps: '5 -> 6', msg: 'settings changed' },
  ])
  expect(current.settings.keyless_rps).toBe(6)
  next = () => {
    throw new TonlithError('invalid', 'keyless_rps must be a whole number')
  }
  expect(await told()).toMatchObject([{ level: 'error', err: { kind: 'invalid' } }])
  expect(reloads).toBe(2)
  expect(current.settings.keyless_rps).toBe(6)
})
