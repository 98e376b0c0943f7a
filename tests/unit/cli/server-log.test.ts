import { expect, test } from 'bun:test'
import { watchServers } from '../../../src/cli/server-log.ts'
import { createLogger } from '../../../src/common/logger.ts'
import type { ServerStatus } from '../../../src/liteserver/status.ts'

test('a line when a server comes and goes, and none while nothing changes', async () => {
  const lines: string[] = []
  const logger = createLogger('info', 'json', (line) => {
    const { level, msg, reason } = JSON.parse(line)
    lines.push([level, msg, reason].filter(Boolean).join(' '))
  })
  const server = { index: 0, name: '192.0.2.1:4000', state: 'offline' } as ServerStatus
  const stop = watchServers({ status: () => [server] }, logger, 5)
  await Bun.sleep(20)
  server.state = 'online'
  await Bun.sleep(20)
  Object.assign(server, { state: 'offline', lastError: 'it hung up' })
  await Bun.sleep(20)
  stop()
  server.state = 'online'
  await Bun.sleep(20)
  expect(lines).toEqual(['info liteserver is online', 'warn liteserver is offline it hung up'])
})
