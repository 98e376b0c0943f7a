import { describe, expect, test } from 'bun:test'
import { parseDnsRecord, parseDnsRecords, readDns } from '../../../src/contracts/dns.ts'
import { dnsCategory } from '../../../src/contracts/dns-name.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import {
  adnlAddress,
  dnsRecords,
  nextResolver,
  smcAddress,
  storageAddress,
  textRecord,
} from '../../support/dns-records.ts'
import { libraryCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'
import { account } from '../../support/fake-contracts.ts'

describe('the manual DNS contract', () => {
  test('has its wallet id first, unsigned', () => {
    const data = beginCell().uint(0xffffffff, 32).uint(1, 64).endCell()
    expect(readDns(beginParse(data))).toEqual({ _: 'dns.accountState', wallet_id: 0xffffffffn })
  })

  test('is malformed with data of 31 bits', () => {
    expect(failureOf(() => readDns(beginParse(beginCell().uint(1, 31).endCell())))).toBe('malformed')
  })
})

const SOMEBODY = account(9, -1)
const HASH = Buffer.alloc(32, 0xa5)

describe('a record', () => {
  test('of each kind is read', () => {
    expect(parseDnsRecord(smcAddress(SOMEBODY))).toEqual({ _: 'dns_smc_address', smc_addr: SOMEBODY })
    expect(parseDnsRecord(nextResolver(SOMEBODY))).toEqual({ _: 'dns_next_resolver', resolver: SOMEBODY })
    expect(parseDnsRecord(adnlAddress(HASH))).toEqual({ _: 'dns_adnl_address', adnl_addr: HASH })
    expect(parseDnsRecord(storageAddress(HASH))).toEqual({ _: 'dns_storage_address', bag_id: HASH })
  })

  test('of text is read in all its chunks', () => {
    for (const text of ['', 'a', 'ж'.repeat(20), 'long '.repeat(100)])
      for (const perChunk of [1, 40, 100]) {
        if (Buffer.byteLength(text) / perChunk > 255) continue
        expect(parseDnsRecord(textRecord(text, perChunk))).toEqual({ _: 'dns_text', text })
      }
  })

  test('of an unknown kind, or broken, is kept as a cell', () => {
    const tail = beginCell().uint(1, 1).endCell()
    for (const cell of [
      beginCell().endCell(),
      beginCell().uint(0x1234, 16).endCell(),
      beginCell().uint(0x9fd3, 16).uint(0, 2).endCell(),
      beginCell().uint(0x7473, 16).uint(0, 255).endCell(),
      beginCell().uint(0x1eda, 16).uint(2, 8).uint(0, 8).ref(tail).endCell(),
      textRecord(Buffer.from([0xff])),
      libraryCell(HASH),
    ])
      expect(parseDnsRecord(cell)).toEqual({ _: 'unknown', cell })
  })
})

describe('a set of records', () => {
  test('is a list by category', () => {
    const records = { wallet: smcAddress(SOMEBODY), site: adnlAddress(HASH), mine: textRecord('x') }
    const entries = parseDnsRecords(dnsRecords(records))
    const names = Object.keys(records).toSorted((a, b) => Buffer.compare(dnsCategory(a), dnsCategory(b)))
    expect(entries.map(({ category }) => category)).toEqual(names.map(dnsCategory))
    expect(entries.find(({ category }) => category.equals(dnsCategory('wallet')))?.record).toEqual({
      _: 'dns_smc_address',
      smc_addr: SOMEBODY,
    })
  })

  test('is malformed where it is no dictionary of references', () => {
    expect(failureOf(() => parseDnsRecords(beginCell().endCell()))).toBe('malformed')
    const inLine = beginCell().uint(0b10, 2).uint(256, 9).bytes(HASH).uint(1, 8).endCell()
    expect(failureOf(() => parseDnsRecords(inLine))).toBe('malformed')
  })

  test('is refused when few cells stand for very many records', () => {
    let node = beginCell().uint(0, 2).ref(textRecord('x')).endCell()
    for (let i = 0; i < 256; i++) node = beginCell().uint(0, 2).ref(node).ref(node).endCell()
    expect(failureOf(() => parseDnsRecords(node))).toBe('limit')
  })

  test('is refused when a record is too large', () => {
    let cell = beginCell().uint(0x1234, 16).endCell()
    for (let i = 0; i < 500; i++) cell = beginCell().ref(cell).ref(cell).ref(cell).ref(cell).endCell()
    expect(failureOf(() => parseDnsRecords(dnsRecords({ mine: cell })))).toBe('limit')
  })
})
