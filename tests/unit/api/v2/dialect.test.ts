import { describe, expect, test } from 'bun:test'
import { accountAddress, addressText, blockIdExt, type Neutral, render } from '../../../../src/api/v2/dialect.ts'
import { tryParseAddress } from '../../../../src/ton/address.ts'

const ID = {
  workchain: -1,
  shard: -(2n ** 63n),
  seqno: 360,
  root_hash: Buffer.alloc(32, 1),
  file_hash: Buffer.alloc(32, 2),
}
const ADDRESS = tryParseAddress('UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI')!

describe('a block id', () => {
  test('has the name of its dialect, a signed decimal shard and base64 hashes', () => {
    const rest = {
      workchain: -1,
      shard: '-9223372036854775808',
      seqno: 360,
      root_hash: Buffer.alloc(32, 1).toString('base64'),
      file_hash: Buffer.alloc(32, 2).toString('base64'),
    }
    expect(render(blockIdExt(ID), 'spec')).toEqual({ '@type': 'chain.blockIdExt', ...rest })
    expect(render(blockIdExt(ID), 'toncenter')).toEqual({ '@type': 'ton.blockIdExt', ...rest })
  })
})

describe('an address', () => {
  test('is raw in the one dialect, friendly and bounceable in the other', () => {
    expect(render(addressText(ADDRESS), 'spec')).toBe(
      '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
    )
    expect(render(addressText(ADDRESS), 'toncenter')).toBe('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N')
  })

  test('keeps the flags of the form that was asked with', () => {
    expect(render(accountAddress(ADDRESS, ADDRESS.flags), 'toncenter')).toEqual({
      '@type': 'accountAddress',
      account_address: 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
    })
  })

  test('that is none is the empty text', () => {
    for (const dialect of ['spec', 'toncenter'] as const) expect(render(addressText(undefined), dialect)).toBe('')
  })
})

test('bytes are base64, undefined keys are left out, all else stays in its order', () => {
  const value: Neutral = {
    b: Buffer.from([0xfb, 0xff]),
    missing: undefined,
    a: [1, 2n ** 70n, null, true, 'x', { deep: blockIdExt(ID) }],
  }
  const rendered = render(value, 'toncenter') as Record<string, unknown>
  expect(Object.keys(rendered)).toEqual(['b', 'a'])
  expect(rendered['b']).toBe('+/8=')
  expect((rendered['a'] as unknown[]).slice(0, 5)).toEqual([1, 2n ** 70n, null, true, 'x'])
})
