import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../src/common/version.ts'
import { copyExecutable, type Lonely, type Running, runExecutable, startExecutable } from '../support/executable.ts'
import { untilReady } from '../support/ready.ts'
import { RECORDED_NETWORK } from '../support/recorded-network.ts'

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

const run = (...args: string[]) => runExecutable(alone, args)

describe('the executable alone in an empty folder', () => {
  test('tells its version, and LMDB works in it', async () => {
    const { code, stdout, stderr } = await run('version')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`tonlith ${VERSION}\n`)
    expect(stdout).toMatch(/^lmdb \d+\.\d+\.\d+ works$/m)
  })

  test('says in one line that LMDB has nowhere to unpack, and stays well otherwise', async () => {
    const { code, stdout } = await runExecutable(alone, ['version'], { TMPDIR: join(alone.folder, 'missing') })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^lmdb \S+ does not work: LMDB cannot be loaded from .*missing.*$/m)
  })

  test('prints OpenAPI with its version', async () => {
    const { code, stdout } = await run('openapi')
    expect(code).toBe(0)
    const document = JSON.parse(stdout)
    expect(document.info.version).toBe(VERSION)
    expect(Object.keys(document.paths)).toContain('/api/v2/getMasterchainInfo')
  })

  test('does not read .env and bunfig.toml of the folder it runs in', async () => {
    writeFileSync(join(alone.folder, '.env'), 'TONLITH_LOG_LEVEL=error\n')
    writeFileSync(join(alone.folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n')
    const { code, stdout } = await run('config')
    rmSync(join(alone.folder, '.env'))
    rmSync(join(alone.folder, 'bunfig.toml'))
    expect(code).toBe(0)
    expect(stdout).toContain('log_level = "info"  # default')
  })

  test('takes no orders that the environment has for Bun', async () => {
    const spy = join(alone.folder, 'spy.js')
    writeFileSync(spy, 'console.log("run instead")\n')
    for (const orders of [
      { BUN_OPTIONS: `--preload ${spy}` },
      { BUN_BE_BUN: '1' },
      { BUN_INSPECT_PRELOAD: spy },
      { NODE_OPTIONS: `--require ${spy}` },
    ]) {
      const { stdout } = await runExecutable(alone, ['config'], orders)
      expect(stdout).toContain('log_level = "info"  # default')
      expect(stdout).not.toContain('run instead')
    }
    rmSync(spy)
  })

  test.each([
    [['srve'], 2, /^tonlith: there is no verb srve; the verbs are [a-z, ]+\n$/],
    [['--lisen', 'x'], 2, /^tonlith: tonlith serve has no flag --lisen; did you mean --listen\?\n$/],
    [['--config', 'missing.toml'], 1, /^tonlith: the file of settings cannot be read: .*missing\.toml \(ENOENT\)\n$/],
    [['dev', '--archive', 'missing'], 1, /^tonlith: [^\n]+\n$/],
    [['dev', '--head', '100000'], 1, /^tonlith: [^\n]+\n$/],
    [['dev', '--plans', 'free'], 2, /^tonlith: plans must be NAME=RPS [^\n]+\n$/],
    [['serve', '--global-config', 'missing'], 1, /^tonlith: global config [^\n]+\n$/],
  ])('refuses %p in one line', async (args, code, message) => {
    const finished = await run(...args)
    expect([finished.code, finished.stdout]).toEqual([code, ''])
    expect(finished.stderr).toMatch(message)
  })
})

test('a setting that is wrong keeps nobody from what does not need it: a key is revoked', async () => {
  const folder = await copyExecutable()
  const call = (...args: string[]) => runExecutable(folder, args)
  try {
    expect(await call('keys', 'add', 'lost')).toMatchObject({ code: 0, stderr: '' })
    expect(await call('merchants', 'add', 'shop')).toMatchObject({ code: 0, stderr: '' })
    writeFileSync(join(folder.folder, 'data', 'tonlith.toml'), 'admin_token = "short"\nplans = 3\n')
    const told = /^(tonlith: not needed here, but wrong: (admin_token|plans) must be [^\n]+\n){2}$/
    for (const args of [
      ['keys', 'list'],
      ['keys', 'revoke', 'lost'],
      ['merchants', 'revoke', 'shop'],
      ['backup', 'copy'],
    ])
      expect(await call(...args)).toMatchObject({ code: 0, stderr: expect.stringMatching(told) })
    for (const args of [['keys', 'add', 'next'], ['serve'], ['config']])
      expect(await call(...args)).toMatchObject({ code: 1, stdout: '' })
    expect((await call('keys', 'list')).stdout).toMatch(/lost .*Z\n$/)
  } finally {
    folder.remove()
  }
})

describe('tonlith dev alone in an empty folder', () => {
  let dev: Running
  beforeAll(async () => {
    dev = await startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0'], {
      TONLITH_API_KEY: 'smoke-test-key',
    })
  })
  afterAll(() => dev.end('SIGKILL'))

  const get = async (path: string) => {
    const response = await fetch(dev.url + path)
    return { status: response.status, version: response.headers.get('x-api-version'), text: await response.text() }
  }

  test('tells its liteserver, and no key that was configured', () => {
    expect(dev.lines).toContainEqual(expect.stringMatching(/^liteserver 127\.0\.0\.1:\d+ [A-Za-z0-9+/]{43}=$/))
    expect(dev.lines).toContainEqual('api key as configured')
  })

  test('reads the recorded chain', async () => {
    const { status, version, text } = await get('/api/v2/getMasterchainInfo')
    expect([status, version]).toEqual([200, VERSION])
    const { ok, result } = JSON.parse(text)
    expect([ok, result.last.workchain]).toEqual([true, -1])
    expect(result.last.seqno).toBeGreaterThan(1)
  })

  test('knows its key and no other', async () => {
    expect((await get('/api/v2/getMasterchainInfo?api_key=smoke-test-key')).status).toBe(200)
    expect((await get('/api/v2/getMasterchainInfo?api_key=another-key')).status).toBe(401)
  })

  test('shows Swagger UI from its own files', async () => {
    expect((await get('/')).text).toContain('swagger-ui-bundle.js')
    expect((await get('/docs/swagger-ui-bundle.js')).text.length).toBeGreaterThan(500_000)
    expect(JSON.parse((await get('/openapi.json')).text).info.version).toBe(VERSION)
  })

  test('takes request heads of up to 64 KiB, and refuses long URLs in JSON', async () => {
    const withHeader = (bytes: number) =>
      fetch(`${dev.url}/healthcheck`, { headers: { 'x-long': 'a'.repeat(bytes) } }).then(({ status }) => status)
    expect([await withHeader(60_000), await withHeader(70_000)]).toEqual([200, 431])
    const { status, text } = await get(`/api/v2/getMasterchainInfo?a=${'a'.repeat(60_000)}`)
    expect([status, JSON.parse(text).code]).toEqual([414, 414])
  })

  test('is alive, ready and measured', async () => {
    expect((await get('/healthcheck')).status).toBe(200)
    await untilReady(dev.url)
    expect((await get('/metrics')).text).toContain(`tonlith_build_info{version="${VERSION}"`)
  })

  test('a second one on the same port is refused in one line', async () => {
    const { port } = new URL(dev.url)
    const { code, stderr } = await run('dev', '--listen', `127.0.0.1:${port}`, '--log-level', 'silent')
    expect([code, stderr]).toEqual([
      1,
      `tonlith: cannot listen on 127.0.0.1:${port}: it is in use; --listen HOST:PORT names another address\n`,
    ])
  })

  test('a server with another key is refused in one line that names it', async () => {
    const address = dev.lines.find((line) => line.startsWith('liteserver '))?.split(' ')[1] ?? ''
    const [, port] = address.split(':')
    const hash = Buffer.alloc(32).toString('base64')
    const block = { workchain: -1, shard: -9223372036854776000, seqno: 0, root_hash: hash, file_hash: hash }
    const key = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString(
      'base64',
    )
    const config = {
      liteservers: [{ ip: 2130706433, port: Number(port), id: { '@type': 'pub.ed25519', key } }],
      validator: { zero_state: block },
    }
    const file = join(alone.folder, 'global.json')
    writeFileSync(file, JSON.stringify(config))
    const { code, stderr } = await run(
      'serve',
      '--listen',
      '127.0.0.1:0',
      '--global-config',
      file,
      '--log-level',
      'silent',
    )
    rmSync(file)
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^tonlith: [^\\n]*127\\.0\\.0\\.1:${port}[^\\n]*\\n$`))
  })

  test('ends with 0 on SIGTERM and leaves nothing behind but its data folder', async () => {
    expect(await dev.end()).toBe(0)
    expect(readdirSync(alone.folder)).toEqual(['data', 'tonlith'])
    expect(dev.stderr()).not.toContain('Error')
  })
})
