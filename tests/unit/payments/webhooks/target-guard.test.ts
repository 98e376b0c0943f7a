import { afterAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../../../src/common/clock.ts'
import type { ResolveName } from '../../../../src/common/host-addresses.ts'
import type { KeyNetwork } from '../../../../src/model/api-key.ts'
import { postTo } from '../../../../src/payments/webhooks/post.ts'
import { createSend } from '../../../../src/payments/webhooks/send.ts'
import { createTargetGuard } from '../../../../src/payments/webhooks/target-guard.ts'
import { readWebhookUrl } from '../../../../src/payments/webhooks/webhook-url.ts'
import { rawServer } from '../../../support/raw-server.ts'

/** Whoever connects here has been led into the operator's own network. */
const inner = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret'))
afterAll(inner.stop)

const PORT = inner.port
const FORBIDDEN_NAMES: Readonly<Record<string, string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'localtest.example': ['127.0.0.1'],
  'private.example': ['10.1.2.3'],
  'office.example': ['192.168.1.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'metadata.example': ['fd00:ec2::254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mapped-hex.example': ['::ffff:7f00:1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  '6to4.example': ['2002:7f00:1::'],
  'teredo.example': ['2001:0:7f00:1::'],
  'link.example': ['fe80::1'],
  'zone.example': ['fe80::1%lo'],
  'unspecified.example': ['0.0.0.0', '::'],
  'all-private.example': ['10.0.0.1', '172.16.0.1', '192.168.0.1', 'fc00::1'],
  'no-address.example': ['localhost', '2130706433', '127.1', ''],
}

const resolve: ResolveName = async (name) => FORBIDDEN_NAMES[name] ?? []

/** Sends to a URL as a delivery does; gives why it failed, or its status. */
const outcome = async (text: string, network: KeyNetwork = 'testnet', allowHosts: string[] = [], names = resolve) => {
  const url = readWebhookUrl(text, network)
  if (typeof url === 'string') return url
  const guard = createTargetGuard({ network, allowHosts, resolve: names })
  const event = { id: 'e', body: Buffer.from('{}') }
  const result = await createSend({ guard, clock: systemClock })(
    event,
    { url, webhook: WEBHOOK },
    new AbortController().signal,
  )
  return result.failure ?? result.status
}

const WEBHOOK = { url: null, secrets: [{ secret: 's', created: 0, until: null }] }

const BLOCKED = 'the host or port is not one of the public internet'

const HOSTS = [
  ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '0.0.0.0', '0', '0.0.0.1'],
  ...['2130706433', '017700000001', '0x7f000001', '0x7F.0.0.1', '0177.0.0.1', '0177.0x0.0.01', '127.0x1', '00000177.1'],
  ...['１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', 'ⓛocalhost', 'LOCALHOST'],
  ...['10.0.0.1', '0xa.1', '012.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1', '3232235777'],
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '100.64.0.1',
    '100.100.100.200',
  ],
  ...['192.0.0.192', '198.18.0.1', '224.0.0.1', '239.255.255.250', '255.255.255.255', '240.0.0.1'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]'],
  ...['[::127.0.0.1]', '[::ffff:169.254.169.254]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]'],
  ...[
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::1]',
    '[2001:0:7f00:1::]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
  ],
  ...Object.keys(FORBIDDEN_NAMES),
]

/** URLs that look as if they led to somebody else, or that are none. */
const TRICKS = [
  `http://8.8.8.8@127.0.0.1:${PORT}/`,
  `http://shop.example:80@127.0.0.1:${PORT}/`,
  `http://shop.example%40@127.0.0.1:${PORT}/`,
  `http://127.0.0.1:${PORT}\\@shop.example/`,
  `http://127.0.0.1:${PORT}#@shop.example/`,
  `http://127.0.0.1:${PORT}?@shop.example/`,
  `http:\\\\127.0.0.1:${PORT}/`,
  `http:127.0.0.1:${PORT}`,
  `http:/127.0.0.1:${PORT}`,
  `http:///127.0.0.1:${PORT}`,
  `ht\ntp://127.0.0.1:${PORT}/`,
  `http://127.0.0\t.1:${PORT}/`,
  `\u0000http://127.0.0.1:${PORT}/`,
  'http://[fe80::1%25lo]/',
  'http://[::1%00]/',
  'gopher://127.0.0.1:25/_HELO',
  'file:///etc/passwd',
  'unix:///run/docker.sock',
  'data:text/plain,hello',
  'blob:http://127.0.0.1/1',
]

describe('a host of the operator', () => {
  test(`is refused in each of ${HOSTS.length + TRICKS.length} forms`, async () => {
    expect(HOSTS.length + TRICKS.length).toBeGreaterThanOrEqual(60)
    const failures = await Promise.all(
      HOSTS.map(async (host) => [host, await outcome(`http://${host}:${PORT}/`)] as const),
    )
    expect(failures.filter(([, failure]) => failure !== BLOCKED)).toEqual([])
    const tricked = await Promise.all(TRICKS.map(async (url) => [url, await outcome(url)] as const))
    const told = [BLOCKED, 'the URL is none', 'the URL has a user name or a password in it']
    expect(tricked.filter(([, failure]) => !told.includes(String(failure)))).toEqual([])
    expect(inner.connections()).toBe(0)
  })

  test('is refused on mainnet, too', async () => {
    const failures = await Promise.all(HOSTS.map((host) => outcome(`https://${host}:${PORT}/`, 'mainnet')))
    expect(new Set(failures)).toEqual(new Set([BLOCKED]))
    expect(inner.connections()).toBe(0)
  })

  test('is asked on a network of our own where it is this machine, and nowhere else', async () => {
    const other = [
      '10.0.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '[fd00::1]',
      'private.example',
      'metadata.google.internal',
    ]
    for (const host of other) expect(await outcome(`http://${host}:${PORT}/`, 'dev')).toBe(BLOCKED)
    expect(await outcome(`http://localhost:${PORT}/`, 'dev')).toBe(200)
    expect(await outcome(`http://0x7f.1:${PORT}/`, 'dev')).toBe(200)
    expect(inner.connections()).toBe(2)
  })

  test('is asked where the operator has allowed it, by its name and no other', async () => {
    const before = inner.connections()
    expect(
      await outcome(`http://LocalTest.example.:${PORT}/`, 'testnet', ['localtest.example'], async () => ['127.0.0.1']),
    ).toBe(200)
    expect(await outcome(`http://127.0.0.1:${PORT}/`, 'testnet', ['127.0.0.1'])).toBe(200)
    expect(inner.connections()).toBe(before + 2)
    for (const host of ['localhost', '127.0.0.1', 'a.localtest.example', 'localtest.example.evil.example'])
      expect(
        await outcome(`http://${host}:${PORT}/`, 'testnet', ['localtest.example'], async () => ['127.0.0.1']),
      ).toBe(BLOCKED)
    expect(await outcome('http://localtest.example/', 'mainnet', ['localtest.example'])).toBe(
      'the URL is not one of https',
    )
    expect(inner.connections()).toBe(before + 2)
  })
})

describe('a name', () => {
  /** Says a public address when it is asked first, and this machine ever after. */
  const rebinding = (first: string) => {
    let asked = 0
    const names: ResolveName = async () => (asked++ === 0 ? [first] : ['127.0.0.1'])
    return { names, asked: () => asked }
  }

  test('is resolved once, and what was checked is what is connected to', async () => {
    const before = inner.connections()
    const { names, asked } = rebinding('203.0.114.7')
    const connected: string[] = []
    const guard = createTargetGuard({ network: 'testnet', allowHosts: [], resolve: names })
    const send = createSend({
      guard,
      clock: systemClock,
      post: async (_, address) => {
        connected.push(address)
        return { _: 'failed', failure: 'connection' }
      },
    })
    const event = { id: 'e', body: Buffer.from('{}') }
    const target = { url: new URL(`http://turn.example:${PORT}/`), webhook: WEBHOOK }
    await send(event, target, new AbortController().signal)
    expect([connected, asked()]).toEqual([['203.0.114.7'], 1])
    expect((await send(event, target, new AbortController().signal)).failure).toBe(BLOCKED)
    expect([connected.length, asked(), inner.connections()]).toEqual([1, 2, before])
  })

  test('is not resolved by what connects', async () => {
    const before = inner.connections()
    const options = { headers: {}, body: Buffer.from('{}'), signal: AbortSignal.timeout(2_000) }
    const result = await postTo(new URL(`http://localhost:${PORT}/`), '127.0.0.2', options)
    expect(result._).toBe('failed')
    expect(inner.connections()).toBe(before)
  })

  test('with addresses of both kinds is asked at those of the public internet', async () => {
    const names = async () => ['127.0.0.1', '203.0.114.7', '10.0.0.1', '2606:4700::1', '203.0.114.8']
    const guard = createTargetGuard({ network: 'testnet', allowHosts: [], resolve: names })
    expect(await guard(new URL('http://both.example'), new AbortController().signal)).toEqual([
      '203.0.114.7',
      '2606:4700::1',
    ])
  })
})

test('ports of other services are not asked, but on allowed hosts', async () => {
  const guard = createTargetGuard({
    network: 'testnet',
    allowHosts: ['mail.example'],
    resolve: async () => ['203.0.114.7'],
  })
  const at = (url: string) => guard(new URL(url), new AbortController().signal)
  for (const port of [21, 22, 25, 53, 110, 143, 445, 587])
    expect(await at(`http://shop.example:${port}`)).toBe('blocked')
  for (const port of [80, 443, 3000, 8443]) expect(await at(`http://shop.example:${port}`)).toEqual(['203.0.114.7'])
  expect(await at('http://mail.example:25')).toEqual(['203.0.114.7'])
})
