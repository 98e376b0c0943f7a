import { describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isTonlithError } from '../../src/common/errors.ts'
import { type BlockIdExt, sameBlock } from '../../src/ton/block-id.ts'
import { checkBlockSignatures, checkStoredProof } from '../../src/ton/block-proof.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { type Cell, MERKLE_PROOF } from '../../src/ton/cell.ts'
import { dictEntries } from '../../src/ton/dictionary.ts'
import {
  checkSignatures,
  nodeIdShort,
  type SignatureSet,
  signatureSetOfTlb,
  signedBytes,
  verifyEd25519,
} from '../../src/ton/signatures.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { type BlockInfo, parseBlockInfo, prevBlockIds } from '../../src/ton/tlb/block-info.ts'
import { parseBlockProof } from '../../src/ton/tlb/block-signatures.ts'
import { configParam } from '../../src/ton/tlb/config-params.ts'
import { parseMcBlockExtra } from '../../src/ton/tlb/mc-block-extra.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import { shardOf } from '../../src/ton/tlb/shard-ident.ts'
import { parseShardStateUnsplit } from '../../src/ton/tlb/shard-state.ts'
import {
  type CatchainConfig,
  parseCatchainConfig,
  parseValidatorSet,
  type ValidatorSet,
} from '../../src/ton/tlb/validators.ts'
import { validatorSubset } from '../../src/ton/validator-set.ts'
import { bitFlips } from '../support/bit-flips.ts'
import { failureOf } from '../support/failure.ts'
import { idOfHeader } from '../support/proof-data.ts'

const data = process.env['TONLITH_CHAIN_DATA']
if (!data) console.log('TONLITH_CHAIN_DATA is not set: no block proofs of public networks are checked')

interface WholeBlock {
  file: string
  id: BlockIdExt
  info: BlockInfo
  /** Root of the configuration in a key block. */
  config: Cell | undefined
}

const wholeBlock = (file: string, bytes: Buffer): WholeBlock => {
  const root = parseBocRoot(bytes)
  const block = parseBlock(root)
  const info = parseBlockInfo(block.info)
  const { custom } = parseBlockExtra(block.extra)
  const config = custom ? parseMcBlockExtra(custom).config?.config : undefined
  return { file, info, config, id: idOfHeader(root, info, hash('sha256', bytes, 'buffer')) }
}

const REFUSED = expect.stringMatching(/proof|malformed|limit/)

describe('block proofs of mainnet', () => {
  const folder = data && join(data, 'proofs/mainnet-mc-block-proofs')
  const sets = folder
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
    : []
  const filesOf = (set: string, kind: RegExp): { seqno: number; bytes: Buffer }[] =>
    readdirSync(set)
      .filter((file) => kind.test(file))
      .map((file) => ({ seqno: Number(file.split('__')[1]), bytes: readFileSync(join(set, file)) }))
      .toSorted((a, b) => a.seqno - b.seqno)

  test('each is signed by the validators that its key block names, and belongs to its block', () => {
    let checked = 0
    for (const set of sets) {
      const blocks = filesOf(set, /^(key_)?block__/).map(({ seqno, bytes }) => wholeBlock(String(seqno), bytes))
      const { config } = blocks.find((block) => block.config)!
      for (const { seqno, bytes } of filesOf(set, /^proof__/)) {
        const proof = parseBlockProof(parseBocRoot(bytes))
        const info = checkStoredProof(proof, config!)
        const block = blocks.find(({ id }) => id.seqno === seqno)!
        expect(sameBlock(block.id, proof.proof_for)).toBe(true)
        expect(info.gen_utime).toBe(block.info.gen_utime)
        const next = blocks.find(({ id }) => id.seqno === seqno + 1)
        if (next) expect(prevBlockIds(next.info)).toEqual([proof.proof_for])
        checked++
      }
    }
    if (data) expect(checked).toBe(40)
  })

  test('a key block is signed by the validators before it, which its own configuration still names', () => {
    for (const set of sets) {
      const { bytes } = filesOf(set, /^key_proof__/)[0]!
      const { config, info } = wholeBlock('key block', filesOf(set, /^key_block__/)[0]!.bytes)
      const now = parseCatchainConfig(configParam(config!, 28)!)
      const before = { ...now, shuffle_mc_validators: false }
      const { proof_for, signatures } = parseBlockProof(parseBocRoot(bytes))
      const weights = [32, 34].flatMap((index) =>
        [now, before].flatMap((rules) => {
          const validators = parseValidatorSet(configParam(config!, index)!)
          const subset = validatorSubset(validators, rules, proof_for, info.gen_catchain_seqno)
          const matches = subset.validator_list_hash_short === info.gen_validator_list_hash_short
          return matches ? [checkSignatures(proof_for, signatureSetOfTlb(signatures!), subset)] : []
        }),
      )
      expect(weights).toContain(signatures!.sig_weight)
    }
  })

  test('none verifies with one bit flipped', () => {
    for (const set of sets) {
      const config = wholeBlock('key block', filesOf(set, /^key_block__/)[0]!.bytes).config!
      for (const { seqno, bytes } of filesOf(set, /^proof__/)) {
        const { root, ...parts } = parseBlockProof(parseBocRoot(bytes))
        const missed: string[] = []
        for (const { path, value } of bitFlips(bytes, 80)) {
          if (failureOf(() => checkStoredProof(parseBlockProof(parseBocRoot(value)), config)) !== 'none') continue
          const read = parseBlockProof(parseBocRoot(value))
          const { root: readRoot, ...readParts } = read
          // A label of no bits can be written in two ways: the same proof then, in other bits.
          if (!isDeepStrictEqual(readParts, parts) || !readRoot.hash().equals(root.hash())) missed.push(path)
        }
        for (const { path, value } of bitFlips(parts, 3, /signatures\[([3-9]|\d\d+)\]/))
          if (failureOf(() => checkStoredProof({ root, ...value }, config)) === 'none') missed.push(path)
        expect([seqno, missed]).toEqual([seqno, []])
      }
    }
  }, 120_000)

  test('none verifies with the configuration of another key block', () => {
    const configs = sets.map((set) => wholeBlock('key block', filesOf(set, /^key_block__/)[0]!.bytes).config!)
    for (const [i, set] of sets.entries()) {
      const other = configs[(i + 1) % configs.length]!
      for (const { bytes } of filesOf(set, /^proof__/))
        expect(failureOf(() => checkStoredProof(parseBlockProof(parseBocRoot(bytes)), other))).toBe('proof')
    }
  })
})

describe('signatures of testnet key blocks', () => {
  const folder = data && join(data, 'proofs/testnet-keyblock-signatures')
  const files = folder ? readdirSync(folder) : []
  const read = (file: string): Buffer => readFileSync(join(folder!, file))

  /** The signatures of these files: 512 bits by public key. */
  const signaturesIn = (bytes: Buffer): { public_key: Buffer; signature: Buffer }[] =>
    Array.from(dictEntries(parseBocRoot(bytes), 256), ([public_key, value]) => {
      const signature = value.bytes(64)
      value.expectEnd()
      return { public_key, signature }
    })

  const setOf = (info: BlockInfo, bytes: Buffer): SignatureSet => ({
    catchain_seqno: info.gen_catchain_seqno,
    validator_list_hash_short: info.gen_validator_list_hash_short,
    signatures: signaturesIn(bytes).map(({ public_key, signature }) => ({
      node_id_short: nodeIdShort(public_key),
      signature,
    })),
  })

  const signed = files
    .filter((file) => files.includes(file.replace('.boc', '_sig.boc')))
    .map((file) => ({ ...wholeBlock(file, read(file)), signatures: read(file.replace('.boc', '_sig.boc')) }))

  test('every signature of a whole block is valid', () => {
    for (const { file, id, signatures } of signed)
      for (const { public_key, signature } of signaturesIn(signatures))
        expect([file, verifyEd25519(public_key, signedBytes(id), signature)]).toEqual([file, true])
    if (data) expect(signed.length).toBeGreaterThan(8)
  })

  test('blocks are signed by two thirds of the validators that the key block before them names', () => {
    let checked = 0
    for (const { file, id, info, signatures } of signed) {
      const ruling = signed.find((each) => each.config && each.id.seqno === info.prev_key_block_seqno)
      if (!ruling) continue
      checked++
      const check = (block: BlockIdExt, bytes: Buffer) =>
        checkBlockSignatures(block, info, ruling.config!, setOf(info, bytes))
      expect([file, check(id, signatures) > 0n]).toEqual([file, true])
      for (const { path, value } of bitFlips(signatures, 200))
        expect([file, path, failureOf(() => check(id, value))]).toEqual([file, path, REFUSED])
      for (const { path, value } of bitFlips({ root_hash: id.root_hash, file_hash: id.file_hash }, 50))
        expect([file, path, failureOf(() => check({ ...id, ...value }, signatures))]).toEqual([file, path, 'proof'])
    }
    if (data) expect(checked).toBeGreaterThan(6)
  })
})

describe('validator subsets', () => {
  const bocsIn = (folder: string): Cell[] =>
    readdirSync(join(data!, folder))
      .filter((file) => file.endsWith('.boc') || file.startsWith('key_block__'))
      .map((file) => readFileSync(join(data!, folder, file)))
      .map((bytes) => parseBocRoot(bytes))

  /** The configuration that a key block, a masterchain state or a file of configuration parameters holds. */
  const configIn = (root: Cell): Cell | null => {
    const inner = root.type === MERKLE_PROOF ? root.ref(0) : root
    for (const find of [configOfBlock, configOfState, (cell: Cell) => cell]) {
      try {
        const config = find(inner)
        if (config && configParam(config, 34)) return config
      } catch (error) {
        if (!isTonlithError(error, 'malformed')) throw error
      }
    }
    return null
  }

  const configOfBlock = (root: Cell): Cell | undefined => {
    const { custom } = parseBlockExtra(parseBlock(root).extra)
    return custom ? parseMcBlockExtra(custom).config?.config : undefined
  }

  const configOfState = (root: Cell): Cell | undefined => {
    const { custom } = parseShardStateUnsplit(root)
    return custom ? parseMcStateExtra(custom).config.config : undefined
  }

  const setsIn = (config: Cell): ValidatorSet[] =>
    [32, 34, 36].flatMap((index) => {
      try {
        const set = configParam(config, index)
        return set ? [parseValidatorSet(set)] : []
      } catch (error) {
        if (!isTonlithError(error, 'malformed')) throw error
        return []
      }
    })

  test('blocks of mainnet, of shards too, name the hash of the subset that is drawn for them', () => {
    if (!data) return
    const folders = ['blocks/mainnet', 'config', 'states', 'proofs/config']
    const proofSets = readdirSync(join(data, 'proofs/mainnet-mc-block-proofs'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `proofs/mainnet-mc-block-proofs/${name}`)
    const configs = [...folders, ...proofSets].flatMap(bocsIn).flatMap((root) => configIn(root) ?? [])
    const sets = configs.flatMap(setsIn)
    const rules = new Map<string, CatchainConfig>()
    for (const config of configs) {
      const cell = configParam(config, 28)
      if (cell) rules.set(cell.hash().toString('hex'), parseCatchainConfig(cell))
    }
    const drawnFor = (info: BlockInfo): boolean => {
      const shard = { workchain: info.shard.workchain_id, shard: shardOf(info.shard) }
      return sets
        .filter(({ utime_since, utime_until }) => utime_since <= info.gen_utime && info.gen_utime <= utime_until + 1000)
        .some((set) =>
          [...rules.values()].some((each) => {
            const { validator_list_hash_short } = validatorSubset(set, each, shard, info.gen_catchain_seqno)
            return validator_list_hash_short === info.gen_validator_list_hash_short
          }),
        )
    }
    const infos = bocsIn('blocks/mainnet').map((root) => parseBlockInfo(parseBlock(root).info))
    const found = infos.filter(drawnFor)
    expect(found.filter(({ not_master }) => not_master).length).toBeGreaterThan(4)
    expect(found.filter(({ not_master }) => !not_master).length).toBeGreaterThan(20)
  }, 120_000)
})
