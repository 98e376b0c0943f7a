import { describe, expect, test } from 'bun:test'
import {
  address,
  apiKey,
  duration,
  fileOrUrl,
  integer,
  type Kind,
  oneOf,
  origins,
  path,
  recording,
  webUrl,
} from '../../../src/config/kinds.ts'

const cases: [string, Kind<unknown>, [string, unknown][], string[]][] = [
  [
    'address',
    address,
    [
      ['127.0.0.1:8081', { host: '127.0.0.1', port: 8081 }],
      ['localhost:0', { host: 'localhost', port: 0 }],
      ['[::1]:65535', { host: '::1', port: 65535 }],
    ],
    ['', '8081', ':8081', '127.0.0.1', '127.0.0.1:', '127.0.0.1:65536', '127.0.0.1:-1', '::1:80', 'a b:80', '[::1]'],
  ],
  [
    'recording',
    recording,
    [
      ['embedded', 'embedded'],
      ['./embedded', '/base/embedded'],
    ],
    [''],
  ],
  [
    'duration',
    duration('100ms', '60s'),
    [
      ['100', 100],
      ['100ms', 100],
      ['10s', 10_000],
      ['1m', 60_000],
    ],
    ['', '99', '61s', '1.5s', '-1s', '10 s', '10h', '1e3', '9999999999999999'],
  ],
  [
    'integer',
    integer('N', 0, 10),
    [
      ['0', 0],
      ['10', 10],
    ],
    ['', '11', '-1', '1.0', '1e1', '0x1', ' 1'],
  ],
  ['word', oneOf(['json', 'pretty']), [['json', 'json']], ['', 'JSON', 'toString']],
  [
    'path',
    path('FILE'),
    [
      ['a/../b', '/base/b'],
      ['/abs', '/abs'],
    ],
    [''],
  ],
  [
    'file or URL',
    fileOrUrl,
    [
      ['global.json', '/base/global.json'],
      ['https://host.test/global.json', 'https://host.test/global.json'],
    ],
    ['', 'ftp://host.test/x', 'http://'],
  ],
  [
    'web URL',
    webUrl,
    [
      ['https://host.test/ipfs', 'https://host.test/ipfs'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ],
    [
      '',
      'host.test',
      'ftp://host.test/x',
      'http://',
      'https://a@host.test/',
      'https://host.test/?a=b',
      'https://host.test/#a',
    ],
  ],
  [
    'origins',
    origins,
    [
      ['*', ['*']],
      ['off', []],
      ['https://a.test,http://localhost:3000', ['https://a.test', 'http://localhost:3000']],
    ],
    ['', 'a.test', 'https://a.test/', 'https://a.test, https://b.test', 'off,*'],
  ],
  ['API key', apiKey, [['Ab3_-xyz', 'Ab3_-xyz']], ['', 'short', 'with space here', 'percent%20key', 'x'.repeat(129)]],
]

for (const [name, kind, good, bad] of cases) {
  describe(name, () => {
    test.each(good)('%p', (text, value) => expect(kind.parse(text, '/base')).toEqual(value))
    test.each(bad)('not %p', (text) => expect(() => kind.parse(text, '/base')).toThrow(Error))
  })
}
