import { describe, expect, test } from 'bun:test'
import {
  readAddress,
  readAddressOrNull,
  readBool,
  readHash,
  readInt32,
  readOpcode,
  readShard,
  readSort,
  readUint64,
  readUtime,
} from '../../../../src/api/v3/value-formats.ts'
import { friendlyAddress, rawAddress } from '../../../../src/ton/address.ts'

const table = <T>(read: (text: string) => T, cases: readonly (readonly [string, T])[]): void => {
  for (const [text, value] of cases) test(JSON.stringify(text), () => expect(read(text)).toEqual(value))
}

describe('hashes', () => {
  const hash = Buffer.from(`${'fbefbe'.repeat(10)}ffff`, 'hex')
  const base64 = hash.toString('base64')
  table(readHash, [
    [hash.toString('hex'), hash],
    [`0x${hash.toString('hex').toUpperCase()}`, hash],
    [base64, hash],
    [base64.replaceAll('+', ' '), hash],
    [`${hash.toString('base64url')}=`, hash],
    [hash.toString('base64url'), undefined],
    [`${base64.slice(0, 42)}1=`, undefined],
    [`0x${base64}`, undefined],
    ['', undefined],
    [hash.toString('hex').slice(2), undefined],
  ])
})

describe('addresses', () => {
  const address = { workchain: 0, hash: Buffer.alloc(32, 0xfb) }
  const friendly = friendlyAddress(address, { bounceable: false, testOnly: true }, 'base64')
  table(readAddress, [
    [rawAddress(address), address],
    [`+${rawAddress(address)}`, address],
    [friendly, address],
    [friendly.replaceAll('+', ' '), address],
    [friendlyAddress(address), address],
    [`${friendly.slice(0, 47)}A`, undefined],
    ['null', undefined],
  ])
  test('or null', () => expect([readAddressOrNull('null'), readAddressOrNull('none')]).toEqual([null, undefined]))
})

describe('shards are hex if they can be', () => {
  table(readShard, [
    ['8000000000000000', -(1n << 63n)],
    ['0x8000000000000000', -(1n << 63n)],
    ['-9223372036854775808', -(1n << 63n)],
    ['1234', 0x1234n],
    ['9223372036854775807', (1n << 63n) - 1n],
    ['18446744073709551616', undefined],
    ['-9223372036854775809', undefined],
    ['x', undefined],
  ])
})

describe('opcodes are hex if they can be', () => {
  table(readOpcode, [
    ['0xd53276db', 0xd53276db],
    ['d53276db', 0xd53276db],
    ['100', 0x100],
    ['-718113061', 0xd53276db],
    ['4294967295', undefined],
    ['0x1d53276db', undefined],
    ['2147483647', 0x7fffffff],
    ['0x', undefined],
  ])
})

describe('times', () => {
  table(readUtime, [
    ['1699999999', 1699999999],
    ['1699999999.7', 1699999999],
    ['0', 0],
    ['4294967295', 4294967295],
    ['4294967296', undefined],
    ['-1', undefined],
    ['1e9', undefined],
    ['now', undefined],
  ])
})

describe('numbers', () => {
  table(readUint64, [
    ['18446744073709551615', (1n << 64n) - 1n],
    ['18446744073709551616', undefined],
    ['-1', undefined],
    ['0x1', undefined],
  ])
  table(readInt32, [
    ['-2147483648', -0x80000000],
    ['2147483648', undefined],
    ['1.5', undefined],
  ])
})

describe('words', () => {
  table(readBool, [
    ['T', true],
    ['on', true],
    ['1', true],
    ['False', false],
    ['tRUE', undefined],
    ['yes', undefined],
  ])
  table(readSort, [
    ['asc', 'asc'],
    ['A', 'asc'],
    ['DESC', 'desc'],
    ['d', 'desc'],
    ['', undefined],
  ])
})
