import { describe, expect, test } from 'bun:test'
import { decode, decodeCall, decodePrefix, encode } from '../../../../src/ton/tl/codec.ts'
import type { Boxed, Call } from '../../../../src/ton/tl/types.ts'

const block = {
  workchain: -1,
  shard: -(1n << 63n),
  seqno: 318,
  root_hash: Buffer.alloc(32, 0xaa),
  file_hash: Buffer.alloc(32, 0xbb),
}
const blockHex = `ffffffff00000000000000803e010000${'aa'.repeat(32)}${'bb'.repeat(32)}`

describe('scalars', () => {
  test('a block id: little-endian, signed', () => {
    const boxed = { _: 'tonNode.blockIdExt', ...block } as const
    const bytes = encode(boxed)
    expect(bytes.subarray(4).toString('hex')).toBe(blockHex)
    expect(decode('tonNode.BlockIdExt', bytes)).toEqual(boxed)
  })

  test.each([
    [0, '00000000'],
    [1, '01ff0000'],
    [3, '03ffffff'],
    [4, '04ffffffff000000'],
  ])('bytes of length %d', (length, hex) => {
    const query: Call<'liteServer.query'> = { _: 'liteServer.query', data: Buffer.alloc(length, 0xff) }
    expect(encode(query).subarray(4).toString('hex')).toBe(hex)
    expect(decodeCall(encode(query))).toEqual(query)
  })

  test.each([
    [252, 'fc', 252 + 4],
    [253, 'fd', 252 + 4],
    [254, 'fefe0000', 260],
    [255, 'feff0000', 260],
    [256, 'fe000100', 260],
    [0xffffff, 'feffffff', 0x1000004],
    [0x1000000, 'ff00000001000000', 0x1000008],
    [0x1000001, 'ff01000001000000', 0x100000c],
  ])('bytes of length %d: the three forms of the length', (length, head, total) => {
    const query: Call<'liteServer.query'> = { _: 'liteServer.query', data: Buffer.alloc(length, 7) }
    const encoded = encode(query)
    expect(encoded.length).toBe(4 + total)
    expect(encoded.subarray(4, 4 + head.length / 2).toString('hex')).toBe(head)
    const back = decodeCall(encoded) as Call<'liteServer.query'>
    expect(back.data.equals(query.data)).toBe(true)
  })

  test('a length in the long form may be short', () => {
    const bytes = Buffer.from('df068c79fe01000042000000', 'hex')
    expect(decodeCall(bytes)).toEqual({ _: 'liteServer.query', data: Buffer.from([0x42]) })
  })
})

describe('conditional fields', () => {
  test('the bits of mode decide', () => {
    const lookup = { _: 'liteServer.lookupBlock', mode: 2, id: { workchain: 0, shard: 1n << 62n, seqno: 0 } } as const
    const encoded = encode({ ...lookup, lt: 173000000n, utime: 5 })
    expect(decodeCall(encoded)).toEqual({ ...lookup, lt: 173000000n })
    expect(() => encode(lookup)).toThrow('field lt is missing')
  })

  test('a `true` field is its bit', () => {
    const list = { _: 'liteServer.listBlockTransactions', id: block, mode: 0x67, count: 10 } as const
    const decoded = decodeCall(encode(list))
    expect(decoded).toEqual({ ...list, reverse_order: true, want_proof: true })
    expect(encode(decoded)).toEqual(encode(list))
  })
})

describe('boxed types', () => {
  test('the name of the constructor tells them apart', () => {
    const proof: Boxed<'liteServer.PartialBlockProof'> = {
      _: 'liteServer.partialBlockProof',
      complete: true,
      from: block,
      to: block,
      steps: [
        {
          _: 'liteServer.blockLinkForward',
          to_key_block: false,
          from: block,
          to: block,
          dest_proof: Buffer.from([1]),
          config_proof: Buffer.from([2]),
          signatures: {
            _: 'liteServer.signatureSet.simplex',
            cc_seqno: 5,
            validator_set_hash: -6,
            signatures: [{ node_id_short: Buffer.alloc(32, 1), signature: Buffer.alloc(64, 2) }],
            session_id: Buffer.alloc(32, 3),
            slot: 9,
            candidate: Buffer.alloc(5),
          },
        },
        {
          _: 'liteServer.blockLinkBack',
          to_key_block: true,
          from: block,
          to: block,
          dest_proof: Buffer.alloc(0),
          proof: Buffer.alloc(0),
          state_proof: Buffer.alloc(0),
        },
      ],
    }
    expect(decode('liteServer.PartialBlockProof', encode(proof))).toEqual(proof)
  })

  test('what validators sign', () => {
    const id = { root_cell_hash: Buffer.alloc(32, 1), file_hash: Buffer.alloc(32, 2) }
    expect(encode({ _: 'ton.blockId', ...id }).toString('hex')).toBe(`706e0bc5${'01'.repeat(32)}${'02'.repeat(32)}`)
    expect(encode({ _: 'pub.ed25519', key: Buffer.alloc(32, 3) }).toString('hex')).toBe(`c6b41348${'03'.repeat(32)}`)
    const vote = encode({
      _: 'consensus.simplex.finalizeVote',
      id: { _: 'consensus.candidateId', slot: 7, hash: Buffer.alloc(32, 4) },
    })
    expect(vote.toString('hex')).toBe(`05e1a7403fcd91b607000000${'04'.repeat(32)}`)
  })

  test('an object of another type is refused', () => {
    const wrong = { _: 'liteServer.signature', node_id_short: Buffer.alloc(32), signature: Buffer.alloc(0) }
    const vote = {
      _: 'consensus.simplex.finalizeVote',
      id: wrong,
    } as unknown as Boxed<'consensus.simplex.UnsignedVote'>
    expect(() => encode(vote)).toThrow('liteServer.signature is no TL consensus.CandidateId')
  })
})

describe('values that do not fit', () => {
  test.each([
    [{ ...block, workchain: 2 ** 31 }, '2147483648 is no TL int'],
    [{ ...block, seqno: 1.5 }, '1.5 is no TL int'],
    [{ ...block, shard: 1n << 63n }, '9223372036854775808 is no TL long'],
    [{ ...block, root_hash: Buffer.alloc(31) }, 'a value of 31 bytes is no TL int256'],
  ])('%#', (id, message) => {
    expect(() => encode({ _: 'tonNode.blockIdExt', ...id })).toThrow(message)
  })

  test('# is not negative', () => {
    expect(() => encode({ _: 'liteServer.getMasterchainInfoExt', mode: -1 })).toThrow('-1 is no TL #')
  })
})

describe('bytes that do not parse, in the words of the node', () => {
  const failure = (run: () => unknown): string => {
    try {
      run()
    } catch (error) {
      return String(error)
    }
    return 'nothing thrown'
  }

  test.each([
    ['', 'Not enough data to read at 0'],
    ['010203', 'Not enough data to read at 0'],
    ['01020304', 'Unknown constructor found 0x04030201 at 4'],
    ['0dcf7763', 'Not enough data to read at 4'],
    ['345aad1600000000', 'Too much data to fetch at 4'],
    ['df71a670ffffffff', "Variable of type # can't be negative at 8"],
    ['df068c79fe', 'Not enough data to read at 4'],
    ['df068c7905000000', 'Not enough data to read at 8'],
    ['df068c79ff0000ff', 'Not enough data to read at 8'],
    ['df068c79ff0000ffffffffff', 'Not enough data to read at 12'],
    ['62b622d1ffffffff', 'Wrong vector length at 8'],
    ['62b622d101000000aa', 'Not enough data to read at 8'],
  ])('%s', (hex, message) => {
    const text = failure(() => decodeCall(Buffer.from(hex, 'hex')))
    expect(text).toBe(`TonlithError: ${message}`)
  })

  test('a Bool that is none', () => {
    const bytes = Buffer.from(`25f4a246${blockHex}${'00'.repeat(16)}`, 'hex')
    expect(failure(() => decodeCall(bytes))).toBe('TonlithError: Bool expected at 100')
  })
})

test('a prefix is read when it stands there whole', () => {
  const wait = { _: 'liteServer.waitMasterchainSeqno', seqno: 5, timeout_ms: 100 } as const
  const bytes = Buffer.concat([encode(wait), Buffer.from('rest')])
  expect(decodePrefix(wait._, bytes)).toEqual({ call: wait, rest: Buffer.from('rest') })
  expect(decodePrefix(wait._, bytes.subarray(0, 10))).toBeUndefined()
  expect(decodePrefix(wait._, Buffer.from('rest'))).toBeUndefined()
})
