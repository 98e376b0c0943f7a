import { expect, test } from 'bun:test'
import { type Dialect, render } from '../../../../../src/api/v2/dialect.ts'
import { dnsResolved } from '../../../../../src/api/v2/serialize/dns.ts'
import { stringifyJson } from '../../../../../src/common/lossless-json.ts'
import type { DnsRecord } from '../../../../../src/model/dns.ts'
import { friendlyAddress, rawAddressUpper } from '../../../../../src/ton/address.ts'
import { beginCell } from '../../../../../src/ton/builder.ts'
import { account } from '../../../../support/fake-contracts.ts'

const SOMEBODY = account(7)
const CATEGORY = Buffer.alloc(32, 1)
const HASH = Buffer.alloc(32, 0xab)

const entryText = (record: DnsRecord, dialect: Dialect = 'toncenter'): string =>
  stringifyJson(render(dnsResolved('a.ton', { _: 'resolved', entries: [{ category: CATEGORY, record }] }), dialect))
const around = (entry: string): string =>
  `{"@type":"dns.resolved","entries":[{"@type":"dns.entry","name":"a.ton",` +
  `"category":"${CATEGORY.toString('base64')}","entry":${entry}}]}`

test('every kind of record has its form', () => {
  const address = `{"@type":"accountAddress","account_address":"${friendlyAddress(SOMEBODY)}"}`
  const forms: [DnsRecord, string][] = [
    [{ _: 'dns_text', text: 'ж"' }, '{"@type":"dns.entryDataText","text":"ж\\""}'],
    [{ _: 'dns_next_resolver', resolver: SOMEBODY }, `{"@type":"dns.entryDataNextResolver","resolver":${address}}`],
    [{ _: 'dns_smc_address', smc_addr: SOMEBODY }, `{"@type":"dns.entryDataSmcAddress","smc_address":${address}}`],
    [
      { _: 'dns_storage_address', bag_id: HASH },
      `{"@type":"dns.entryDataStorageAddress","bag_id":"${'ab'.repeat(32)}"}`,
    ],
    [
      { _: 'unknown', cell: beginCell().endCell() },
      '{"@type":"dns.entryDataUnknown","bytes":"te6cckEBAQEAAgAAAEysuc0="}',
    ],
  ]
  for (const [record, form] of forms) expect(entryText(record)).toBe(around(form))
  expect(entryText({ _: 'dns_adnl_address', adnl_addr: HASH })).toMatch(
    /"entry":\{"@type":"dns\.entryDataAdnlAddress","adnl_address":\{"@type":"adnlAddress","adnl_address":"[a-z2-7]{55}"\}\}/,
  )
  expect(entryText({ _: 'dns_smc_address', smc_addr: SOMEBODY }, 'spec')).toContain(rawAddressUpper(SOMEBODY))
})

test('a delegation is named by what the resolver knew', () => {
  const resolution = { _: 'delegated', prefix: Buffer.from('\0alice'), resolver: SOMEBODY } as const
  expect(render(dnsResolved('a.alice.ton', resolution), 'toncenter')).toMatchObject({
    entries: [
      {
        name: 'alice.',
        category: 'GfAkQe5Yj9sm7iSyVo3QNcPJIG4Rq5eb5i5VVYodF/8=',
        entry: { '@type': 'dns.entryDataNextResolver' },
      },
    ],
  })
})

test('nothing is an empty list', () => {
  expect(render(dnsResolved('x', { _: 'resolved', entries: [] }), 'spec')).toEqual({
    '@type': 'dns.resolved',
    entries: [],
  })
})
