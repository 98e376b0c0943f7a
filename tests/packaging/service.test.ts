import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { parseCommandLine } from '../../src/config/command-line.ts'
import { envOf, SETTINGS } from '../../src/config.ts'

const read = (name: string) => Bun.file(join(import.meta.dir, '../../packaging', name)).text()

/** Lines `Name=value` of a unit, comments left out. */
const linesOf = (unit: string) => unit.split('\n').filter((line) => /^[A-Z]\w+=/.test(line))

/** What the program can do without, so that it is taken from it. */
const HARDENING = [
  'AmbientCapabilities=',
  'CapabilityBoundingSet=',
  'LimitCORE=0',
  'LockPersonality=yes',
  'NoNewPrivileges=yes',
  'PrivateDevices=yes',
  'PrivateTmp=yes',
  'PrivateUsers=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHome=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
  'ProtectSystem=strict',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'StateDirectoryMode=0700',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  'UMask=0077',
  'User=tonlith',
]

const environmentNames = SETTINGS.map(envOf)

describe('the systemd unit', () => {
  test('takes from the program what it can do without', async () => {
    expect(linesOf(await read('tonlith.service'))).toEqual(expect.arrayContaining(HARDENING))
  })

  test('starts a verb with flags that there are, and names settings that there are', async () => {
    const lines = linesOf(await read('tonlith.service'))
    const command = lines
      .find((line) => line.startsWith('ExecStart='))!
      .split(' ')
      .slice(1)
    expect(parseCommandLine(command).verb).toBe('serve')
    const set = lines.flatMap((line) => line.match(/^Environment=(\w+)=/)?.[1] ?? [])
    expect(set).toEqual(['TONLITH_DATA'])
    for (const name of set) expect(environmentNames).toContain(name)
  })
})

describe('the container file', () => {
  test('runs as nobody in particular, with settings that there are', async () => {
    const text = await read('Containerfile')
    expect(text).toContain('\nUSER 65532:65532\n')
    const set = [...text.matchAll(/TONLITH_\w+(?==)/g)].map(([name]) => name)
    expect(set.length).toBeGreaterThan(0)
    for (const name of set) expect(environmentNames).toContain(name)
  })
})
