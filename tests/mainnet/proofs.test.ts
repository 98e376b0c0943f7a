import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTonlithError } from '../../src/common/errors.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { parseBoc } from '../../src/ton/boc.ts'
import { type Cell, MERKLE_PROOF, ORDINARY } from '../../src/ton/cell.ts'
import { openProofOf } from '../../src/ton/merkle.ts'
import { checkAccountState, type ProvenAccount } from '../../src/ton/proof/account.ts'
import { openHeader, openStatePair, openZeroState } from '../../src/ton/proof/block.ts'
import { checkConfig, configOfState } from '../../src/ton/proof/config.ts'
import { PROVEN } from '../../src/ton/proof/evidence.ts'
import { checkAllShards, knownShards } from '../../src/ton/proof/shards.ts'
import { checkTransactions } from '../../src/ton/proof/transactions.ts'
import { decodeAnswer, decodeMessage, type LiteAnswer } from '../../src/ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../../src/ton/tl/schema.ts'
import { parseAccount } from '../../src/ton/tlb/account.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { configParam, configParams } from '../../src/ton/tlb/config-params.ts'
import { accountOf } from '../../src/ton/tlb/msg-address.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { bitFlips } from '../support/bit-flips.ts'
import { failureOf } from '../support/failure.ts'
import { dataBocs, headerIn, idOfHeader, rootsOf } from '../support/proof-data.ts'

const data = process.env['TONLITH_CHAIN_DATA']
const folder = data && join(data, 'proofs')
if (!folder) console.log('TONLITH_CHAIN_DATA is not set: no proofs of public networks are checked')

const bocs = folder ? dataBocs(folder) : []
const parsed = bocs.flatMap((boc) => {
  const roots = rootsOf(boc.bytes)
  return roots ? [{ ...boc, roots }] : []
})
const proofs = parsed.filter(({ roots }) => roots.every(({ type }) => type === MERKLE_PROOF))
const pairs = proofs.filter(({ roots }) => roots.length === 2)

/** Runs `verify` over copies with one bit flipped; names the copies that verified all the same, or that crashed it. */
const unnoticed = (bytes: Buffer, count: number, verify: (bytes: Buffer) => unknown): string[] =>
  [...bitFlips(bytes, count)].filter(({ value }) => failureOf(() => verify(value)) === 'none').map(({ path }) => path)

describe('Merkle proofs', () => {
  test('each holds what it names, and nothing when a bit is flipped', () => {
    for (const { name, bytes, roots } of proofs) {
      const hashes = roots.map((root) => Buffer.from(root.ref(0).hash(0)))
      const verify = (given: Buffer): void => {
        const found = parseBoc(given)
        if (found.length !== hashes.length) throw new Error(`${name}: another number of roots`)
        for (const [i, root] of found.entries()) openProofOf(root, hashes[i]!)
      }
      expect([name, failureOf(() => verify(bytes))]).toEqual([name, 'none'])
      expect([name, unnoticed(bytes, 200, verify)]).toEqual([name, []])
    }
    if (data) expect(proofs.length).toBeGreaterThan(30)
  })

  test('a header is that of the block, and of no other', () => {
    let headers = 0
    for (const { name, roots } of proofs) {
      const info = headerIn(roots[0]!)
      if (!info) continue
      headers++
      const id = idOfHeader(roots[0]!, info)
      expect([name, failureOf(() => openHeader(roots[0]!, id, PROVEN))]).toEqual([name, 'none'])
      const { workchain, shard, seqno, root_hash } = id
      for (const { path, value } of bitFlips({ workchain, shard, seqno, root_hash }, 40))
        expect([name, path, failureOf(() => openHeader(roots[0]!, { ...id, ...value }, PROVEN))]).toEqual([
          name,
          path,
          'proof',
        ])
    }
    if (data) expect(headers).toBeGreaterThan(15)
  })

  test('a proof of a transaction shows it, and its bag of cells is the one that was proven', () => {
    let shown = 0
    for (const { name, roots } of proofs.filter((each) => each.name.includes('tx'))) {
      const transactions = listedIn(roots[0]!)
      if (!transactions) continue
      shown += transactions.length
      const prefix = /txproof_([0-9A-F]+)/.exec(name)?.[1]?.toLowerCase()
      const hashes = transactions.map((cell) => cell.hash(0).toString('hex'))
      if (prefix) expect([name, hashes.some((hex) => hex.startsWith(prefix))]).toEqual([name, true])
    }
    if (data) expect(shown).toBeGreaterThan(6)
  })
})

/** Cells of the transactions that the proof of a block shows, pruned or not. */
const listedIn = (proof: Cell): Cell[] | undefined => {
  try {
    const { account_blocks } = parseBlockExtra(parseBlock(proof.ref(0)).extra)
    return Array.from(blockTransactions(account_blocks, { skipPruned: true }), ({ cell }) => cell)
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return undefined
    throw error
  }
}

interface AccountCase {
  name: string
  answer: LiteAnswer<'liteServer.getAccountState'>
  request: { id: BlockIdExt; account: { workchain: number; id: Buffer } }
}

const accountIn = ({ roots }: { roots: Cell[] }): { workchain: number; hash: Buffer } | null => {
  if (roots.length !== 1 || roots[0]!.type !== ORDINARY) return null
  try {
    const account = parseAccount(roots[0]!)
    return account._ === 'account' ? accountOf(account.addr) : null
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return null
    throw error
  }
}

/** Answers as liteservers give them, put together from the proofs and accounts of one file. */
const accountCases = (): AccountCase[] =>
  parsed.flatMap((boc) => {
    const address = accountIn(boc)
    if (!address) return []
    const account = { workchain: address.workchain, id: address.hash }
    const prefix = address.hash.readBigUInt64BE(0)
    const own = pairs.filter((each) => each.name.split('#')[0] === boc.name.split('#')[0])
    return own.flatMap((pair) => {
      const info = headerIn(pair.roots[0]!)!
      if (info.not_master) return []
      const id = idOfHeader(pair.roots[0]!, info)
      const shardblk = shardBlockId(
        knownShards({ shard_proof: pair.bytes, shardblk: id }, id, PROVEN).holding(account.workchain, prefix)!,
      )
      const proof = own.find(({ roots }) => shardblk.root_hash.equals(roots[0]!.ref(0).hash(0)))
      if (!proof) return []
      const parts = { id, shardblk, shard_proof: pair.bytes, proof: proof.bytes, state: boc.bytes }
      return [{ name: boc.name, answer: { _: 'liteServer.accountState', ...parts }, request: { id, account } }]
    })
  })

const expectProven = ({ name, answer, request }: AccountCase, count: number): ProvenAccount => {
  const proven = checkAccountState(answer, request, PROVEN)
  const parts = bitFlips(answer, count)
  const missed = [...parts].filter(
    ({ value }) => failureOf(() => checkAccountState(value, request, PROVEN)) !== 'proof',
  )
  expect([name, missed.map(({ path }) => path)]).toEqual([name, []])
  return proven
}

describe('account states', () => {
  test('accounts of mainnet and testnet are proven from a masterchain block down, and not when a bit is flipped', () => {
    const cases = accountCases()
    for (const each of cases) {
      const { account, shard_account, gen_utime } = expectProven(each, 400)
      expect(parseAccount(account!)._).toBe('account')
      expect(shard_account!.last_trans_hash.length).toBe(32)
      expect(gen_utime).toBeGreaterThan(1_600_000_000)
    }
    if (data) expect(cases.length).toBeGreaterThan(1)
  })

  test('a state is proven by its block, and not when a bit is flipped', () => {
    for (const { name, bytes, roots } of pairs) {
      const id = idOfHeader(roots[0]!, headerIn(roots[0]!)!)
      expect([name, failureOf(() => openStatePair(bytes, id, PROVEN))]).toEqual([name, 'none'])
      expect([name, unnoticed(bytes, 400, (given) => openStatePair(given, id, PROVEN))]).toEqual([name, []])
    }
    if (data) expect(pairs.length).toBeGreaterThan(4)
  })

  test('a pruned account is proven to be the one whose cell is there', () => {
    const whole = new Set(parsed.filter(accountIn).map(({ roots }) => roots[0]!.hash().toString('hex')))
    const pruned = proofs.filter(({ roots }) => roots.length === 1 && accountIn({ roots: [roots[0]!.ref(0)] }))
    for (const { name, roots } of pruned)
      expect([name, whole.has(roots[0]!.ref(0).hash(0).toString('hex'))]).toEqual([name, true])
    if (data) expect(pruned.length).toBeGreaterThan(0)
  })
})

describe('recorded answers of mainnet liteservers', () => {
  const recordings: { hex: string }[] = folder
    ? JSON.parse(readFileSync(join(folder, 'liteserver-tl/recordings.json'), 'utf8'))
    : []

  const answers = <M extends LiteServerMethod>(method: M): LiteAnswer<M>[] =>
    recordings.flatMap(({ hex }) => {
      const bytes = Buffer.from(hex, 'hex')
      for (const inner of [() => bytes, () => answerIn(bytes)])
        if (failureOf(() => decodeAnswer(method, inner())) === 'none') return [decodeAnswer(method, inner())]
      return []
    })

  const answerIn = (bytes: Buffer): Buffer => {
    const message = decodeMessage(bytes)
    return message._ === 'adnl.message.answer' ? message.answer : Buffer.alloc(0)
  }

  test('shards of a masterchain block', () => {
    const found = answers('liteServer.getAllShardsInfo').filter(({ proof }) => proof.length > 0)
    for (const answer of found) {
      const request = { id: answer.id }
      expect([...shardEntries(checkAllShards(answer, request, PROVEN))].length).toBeGreaterThan(0)
      for (const { path, value } of bitFlips(answer, 400))
        expect([path, failureOf(() => checkAllShards(value, request, PROVEN))]).toEqual([path, 'proof'])
    }
    if (data) expect(found.length).toBeGreaterThan(0)
  })

  test('transactions of an account', () => {
    const found = answers('liteServer.getTransactions')
    for (const answer of found) {
      const [first] = parseBoc(answer.transactions)
      const { account_addr: id, lt } = parseTransaction(first!)
      const account = { workchain: answer.ids[0]!.workchain, id }
      const request = { account, lt, hash: first!.hash(), count: answer.ids.length }
      expect(checkTransactions(answer, request, PROVEN)).toHaveLength(answer.ids.length)
      for (const { path, value } of bitFlips(answer, 400, /^ids/))
        expect([path, failureOf(() => checkTransactions(value, request, PROVEN))]).toEqual([path, 'proof'])
    }
    if (data) expect(found.length).toBeGreaterThan(0)
  })
})

/** Every configuration parameter that a proof shows, none of it pruned. */
const wholeParams = (config: Cell): number =>
  [...configParams(config)].filter(([, value]) => value.type === ORDINARY && value.level === 0).length

describe('configurations', () => {
  test('proofs of whole configurations verify against their state, and not when a bit is flipped', () => {
    let found = 0
    for (const { name, bytes, roots } of proofs.filter(
      (each) => each.name.startsWith('config/') && each.roots.length === 1,
    )) {
      found++
      const root_hash = Buffer.from(roots[0]!.ref(0).hash(0))
      const id = { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: 0, root_hash, file_hash: Buffer.alloc(32) }
      const read = (given: Buffer) => configOfState(openZeroState(parseBoc(given)[0]!, id, PROVEN)).config
      expect(wholeParams(read(bytes))).toBeGreaterThan(20)
      expect(configParam(read(bytes), 34)).not.toBeNull()
      expect([name, unnoticed(bytes, 100, read)]).toEqual([name, []])
    }
    if (data) expect(found).toBeGreaterThan(2)
  })

  test('recorded answers to getConfigAll verify against their block, and not when a bit is flipped', () => {
    if (!folder) return
    const files = readdirSync(join(folder, 'config')).filter((file) => file.endsWith('.bin'))
    const answers = files.flatMap((file) => {
      const bytes = readFileSync(join(folder, 'config', file))
      return failureOf(() => decodeAnswer('liteServer.getConfigAll', bytes)) === 'none'
        ? [decodeAnswer('liteServer.getConfigAll', bytes)]
        : []
    })
    expect(answers.length).toBeGreaterThan(0)
    for (const answer of answers) {
      const request = { id: answer.id, mode: answer.mode & 0x8000 }
      expect(wholeParams(checkConfig(answer, request, PROVEN).config)).toBeGreaterThan(20)
      for (const { path, value } of bitFlips(answer, 200, /^mode$/))
        expect([path, failureOf(() => checkConfig(value, request, PROVEN))]).toEqual([path, 'proof'])
    }
  })

  test('a proof whose pruned branches lack their level mask is refused', () => {
    const refused = bocs.filter(({ bytes, name }) => name.startsWith('config/') && !rootsOf(bytes))
    for (const { bytes } of refused)
      if (bytes.subarray(0, 4).equals(BOC)) expect(() => parseBoc(bytes)).toThrow('bad pruned branch cell')
  })
})

const BOC = Buffer.from('b5ee9c72', 'hex')
