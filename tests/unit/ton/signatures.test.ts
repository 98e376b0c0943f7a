import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import { MASTERCHAIN, SHARD_ALL } from '../../../src/ton/block-id.ts'
import {
  checkSignatures,
  nodeIdShort,
  type SignatureSet,
  signedBytes,
  verifyEd25519,
} from '../../../src/ton/signatures.ts'
import { encode } from '../../../src/ton/tl/codec.ts'
import type { ValidatorSubset } from '../../../src/ton/validator-set.ts'
import { bitFlips } from '../../support/bit-flips.ts'
import { failureOf } from '../../support/failure.ts'

const id = {
  workchain: MASTERCHAIN,
  shard: SHARD_ALL,
  seqno: 5,
  root_hash: Buffer.alloc(32, 0xaa),
  file_hash: Buffer.alloc(32, 0xbb),
}

interface Signer {
  key: KeyObject
  public_key: Buffer
  weight: bigint
}

const signer = (weight: bigint): Signer => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { key: privateKey, public_key: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32), weight }
}

const signers = [10n, 20n, 30n, 40n].map(signer)
const subset: ValidatorSubset = {
  catchain_seqno: 7,
  validators: signers.map(({ public_key, weight }) => ({ public_key, weight, adnl_addr: Buffer.alloc(32) })),
  total_weight: 100n,
  validator_list_hash_short: 0x89abcdef,
}

const signed = (by: readonly Signer[], simplex?: NonNullable<SignatureSet['simplex']>): SignatureSet => ({
  catchain_seqno: 7,
  validator_list_hash_short: 0x89abcdef,
  signatures: by.map(({ key, public_key }) => ({
    node_id_short: nodeIdShort(public_key),
    signature: sign(null, signedBytes(id, simplex), key),
  })),
  ...(simplex && { simplex }),
})

const candidate = encode({
  _: 'consensus.candidateHashDataOrdinary',
  block: id,
  collated_file_hash: Buffer.alloc(32, 1),
  parent: { _: 'consensus.candidateWithoutParents' },
})
const vote = { session_id: Buffer.alloc(32, 5), slot: 3, candidate }

describe('signed bytes', () => {
  test('ordinary: boxed ton.blockId', () => {
    expect(signedBytes(id).toString('hex')).toBe(`706e0bc5${'aa'.repeat(32)}${'bb'.repeat(32)}`)
  })

  test('simplex: a finalizeVote for the hash of the candidate, inside of the session', () => {
    const bytes = signedBytes(id, vote)
    const data = Buffer.concat([
      Buffer.from('05e1a740', 'hex'),
      Buffer.from('3fcd91b6', 'hex'),
      Buffer.from('03000000', 'hex'),
      hash('sha256', candidate, 'buffer'),
    ])
    expect(bytes.toString('hex')).toBe(
      `f83de3a8${'05'.repeat(32)}${Buffer.from([data.length]).toString('hex')}${data.toString('hex')}000000`,
    )
  })

  test('simplex: a candidate for an empty slot names the block too', () => {
    const parent = { slot: 2, hash: Buffer.alloc(32, 2) }
    const empty = encode({ _: 'consensus.candidateHashDataEmpty', block: id, parent })
    expect(signedBytes(id, { ...vote, candidate: empty })).toHaveLength(signedBytes(id, vote).length)
  })

  test('simplex: a candidate for another block proves nothing', () => {
    expect(failureOf(() => signedBytes({ ...id, seqno: 6 }, vote))).toBe('proof')
    expect(failureOf(() => signedBytes(id, { ...vote, candidate: Buffer.from('nothing') }))).toBe('malformed')
  })
})

test('a node id is the hash of the boxed public key', () => {
  const boxed = Buffer.concat([Buffer.from('c6b41348', 'hex'), Buffer.alloc(32, 4)])
  expect(nodeIdShort(Buffer.alloc(32, 4))).toEqual(hash('sha256', boxed, 'buffer'))
})

describe('checkSignatures', () => {
  test('gives the signed weight', () => {
    expect(checkSignatures(id, signed(signers), subset)).toBe(100n)
    expect(checkSignatures(id, signed(signers, vote), subset)).toBe(100n)
    expect(checkSignatures(id, signed([signers[3]!, signers[2]!]), subset)).toBe(70n)
  })

  test('more than two thirds are needed', () => {
    expect(failureOf(() => checkSignatures(id, signed(signers.slice(0, 3)), subset))).toBe('proof')
    const tight = { ...subset, total_weight: 90n }
    expect(failureOf(() => checkSignatures(id, signed(signers.slice(0, 3)), tight))).toBe('proof')
    expect(checkSignatures(id, signed(signers.slice(0, 3)), { ...subset, total_weight: 89n })).toBe(60n)
    expect(failureOf(() => checkSignatures(id, signed([]), subset))).toBe('proof')
  })

  test('nobody signs twice, and nobody from outside', () => {
    expect(failureOf(() => checkSignatures(id, signed([...signers.slice(1), signers[1]!]), subset))).toBe('proof')
    expect(failureOf(() => checkSignatures(id, signed([...signers.slice(1), signer(10n)]), subset))).toBe('proof')
    expect(failureOf(() => checkSignatures(id, signed([...signers, signer(10n)]), subset))).toBe('proof')
  })

  test.each([
    ['ordinary', signed(signers)],
    ['simplex', signed(signers, vote)],
  ])('no bit of an %s set may differ', (_, set) => {
    for (const { path, value } of bitFlips(set, 24)) {
      expect([path, failureOf(() => checkSignatures(id, value, subset))]).toEqual([
        path,
        expect.stringMatching(/proof|malformed/),
      ])
    }
  })

  test('nor of the block id', () => {
    for (const { path, value } of bitFlips({ root_hash: id.root_hash, file_hash: id.file_hash }, 24)) {
      expect([path, failureOf(() => checkSignatures({ ...id, ...value }, signed(signers), subset))]).toEqual([
        path,
        'proof',
      ])
    }
    for (const { path, value } of bitFlips(id, 24))
      expect([path, failureOf(() => checkSignatures(value, signed(signers, vote), subset))]).toEqual([path, 'proof'])
  })
})

test('a broken key or signature is a failed check, not a crash', () => {
  expect(verifyEd25519(Buffer.alloc(31), Buffer.alloc(1), Buffer.alloc(64))).toBe(false)
  expect(verifyEd25519(Buffer.alloc(32, 255), Buffer.alloc(1), Buffer.alloc(64))).toBe(false)
  expect(verifyEd25519(signers[0]!.public_key, Buffer.alloc(1), Buffer.alloc(63))).toBe(false)
})
