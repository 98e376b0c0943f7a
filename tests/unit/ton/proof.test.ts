import { describe, expect, test } from 'bun:test'
import { MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { parseBoc, parseBocRoot } from '../../../src/ton/boc.ts'
import { serializeBoc } from '../../../src/ton/boc-writer.ts'
import { makeCell } from '../../../src/ton/data-cell.ts'
import { checkAccountState } from '../../../src/ton/proof/account.ts'
import { checkBlockTransactions } from '../../../src/ton/proof/block-transactions.ts'
import { checkConfig } from '../../../src/ton/proof/config.ts'
import { BELIEVED, PROVEN } from '../../../src/ton/proof/evidence.ts'
import { checkShardBlockProof } from '../../../src/ton/proof/links.ts'
import { checkLookup } from '../../../src/ton/proof/lookup.ts'
import { checkAllShards, checkShardInfo } from '../../../src/ton/proof/shards.ts'
import { checkOneTransaction, checkTransactions } from '../../../src/ton/proof/transactions.ts'
import { parseAccount } from '../../../src/ton/tlb/account.ts'
import { configParam } from '../../../src/ton/tlb/config-params.ts'
import { accountOf } from '../../../src/ton/tlb/msg-address.ts'
import { shardBlockId, shardEntries } from '../../../src/ton/tlb/shard-hashes.ts'
import { failureOf } from '../../support/failure.ts'
import { proofCases } from '../../support/proof-cases.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'

const cases = proofCases()
const methods = [...new Set(cases.map(({ method }) => method))]

describe.each(methods)('%s', (method) => {
  const own = cases.filter((each) => each.method === method)

  test(`all ${own.length} recorded answers verify, and can be believed`, () => {
    for (const { name, verify } of own) {
      expect([name, failureOf(() => verify(PROVEN))]).toEqual([name, 'none'])
      expect([name, failureOf(() => verify(BELIEVED))]).toEqual([name, 'none'])
    }
  })

  test('none verifies with one bit flipped', () => {
    for (const { name, flipped } of own)
      for (const { path, verify } of flipped(3, PROVEN))
        if (failureOf(verify) !== 'proof' && !isOpenEnd(name, path)) throw new Error(`${name}: ${path} went unnoticed`)
  })
})

/** A list of exactly as many as were asked for may truthfully be called incomplete or not. */
const isOpenEnd = (name: string, path: string): boolean =>
  name.startsWith('liteServer.listBlockTransactions') && path === 'incomplete'

describe('account state', () => {
  const [first, ...rest] = recordedAnswers('liteServer.getAccountState').filter(({ args }) => args.id.seqno >= 0)
  const { answer, args } = first!

  test('gives the account, its entry and the block that holds it', () => {
    const proven = checkAccountState(answer, args, PROVEN)
    expect(proven.shard_block).toEqual(answer.shardblk)
    expect(proven.gen_utime).toBeGreaterThan(1_700_000_000)
    const account = parseAccount(proven.account!)
    if (account._ !== 'account') throw new Error('no account')
    expect(accountOf(account.addr)).toEqual({ workchain: args.account.workchain, hash: args.account.id })
    expect(proven.shard_account!.last_trans_lt).toBeLessThan(account.storage.last_trans_lt)
  })

  test('an account that is not there is proven not to be there', () => {
    const absent = rest.filter(({ note }) => note.includes('nonexistent'))
    expect(absent.length).toBeGreaterThan(0)
    for (const each of absent) {
      expect(checkAccountState(each.answer, each.args, PROVEN)).toMatchObject({ shard_account: null, account: null })
      const faked = { ...each.answer, state: answer.state }
      expect(failureOf(() => checkAccountState(faked, each.args, PROVEN))).toBe('proof')
    }
  })

  test('a workchain without shards has no account and no block', () => {
    const unknown = rest.find(({ note }) => note === 'unknown workchain')!
    expect(checkAccountState(unknown.answer, unknown.args, PROVEN)).toMatchObject({ shard_block: null, account: null })
  })

  test('an account that is there cannot be hidden', () => {
    expect(failureOf(() => checkAccountState({ ...answer, state: Buffer.alloc(0) }, args, PROVEN))).toBe('proof')
  })

  test('an answer proves no other account, and no other block', () => {
    for (const other of rest) {
      const sameAccount = other.args.account.id.equals(args.account.id)
      if (!sameAccount) expect(failureOf(() => checkAccountState(answer, other.args, PROVEN))).toBe('proof')
      else if (other.args.id.workchain === MASTERCHAIN && other.args.id.seqno !== args.id.seqno) {
        expect(failureOf(() => checkAccountState(answer, { ...args, id: other.args.id }, PROVEN))).toBe('proof')
        const renamed = { ...answer, id: other.args.id }
        expect(failureOf(() => checkAccountState(renamed, { ...args, id: other.args.id }, PROVEN))).toBe('proof')
      }
    }
  })

  test('a pruned branch that claims the hash of the account is no account', () => {
    const hash = parseBocRoot(answer.state).hash()
    const claim = Buffer.concat([Buffer.from([1, 1]), hash, Buffer.alloc(2)])
    const state = serializeBoc([makeCell(claim, 288, [], true)])
    expect(failureOf(() => checkAccountState({ ...answer, state }, args, PROVEN))).toBe('proof')
  })

  test('bytes that are no proof at all are a failed proof', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('nothing'), answer.state, answer.shard_proof]) {
      expect(failureOf(() => checkAccountState({ ...answer, proof: bytes }, args, PROVEN))).toBe('proof')
      expect(failureOf(() => checkAccountState({ ...answer, proof: bytes }, args, BELIEVED))).toBe('proof')
    }
  })
})

describe('shards', () => {
  test('the list holds what getShardInfo names', () => {
    for (const { answer, args } of recordedAnswers('liteServer.getAllShardsInfo')) {
      const listed = Array.from(shardEntries(checkAllShards(answer, args, PROVEN)), shardBlockId)
      expect(listed.length).toBeGreaterThan(0)
      for (const info of recordedAnswers('liteServer.getShardInfo')) {
        if (info.args.id.seqno !== args.id.seqno) continue
        const entry = checkShardInfo(info.answer, info.args, PROVEN)
        if (entry) expect(listed).toContainEqual(shardBlockId(entry))
      }
    }
  })

  test('a shard cannot be hidden', () => {
    const known = recordedAnswers('liteServer.getShardInfo').find(({ answer }) => answer.shardblk.workchain === 0)!
    const none = recordedAnswers('liteServer.getShardInfo').find(({ answer }) => answer.shardblk.workchain !== 0)!
    const hidden = { ...known.answer, shardblk: none.answer.shardblk, shard_descr: none.answer.shard_descr }
    expect(failureOf(() => checkShardInfo(hidden, known.args, PROVEN))).toBe('proof')
  })

  test('links of a shard block must reach it', () => {
    const { answer, args } = recordedAnswers('liteServer.getShardBlockProof')[0]!
    expect(checkShardBlockProof(answer, args, PROVEN)).toEqual(answer.masterchain_id)
    expect(failureOf(() => checkShardBlockProof({ ...answer, links: [] }, args, PROVEN))).toBe('proof')
  })
})

test('configuration parameters are read out of the proof; the others are not there', () => {
  const { answer, args } = recordedAnswers('liteServer.getConfigParams').find(
    (each) => each.args.mode === 0 && each.args.param_list.includes(34),
  )!
  const { config } = checkConfig(answer, args, PROVEN)
  expect(configParam(config, 34)).not.toBeNull()
  expect(failureOf(() => configParam(config, 18))).toBe('malformed')
})

describe('transactions', () => {
  const long = recordedAnswers('liteServer.getTransactions').find(({ answer }) => answer.ids.length > 5)!

  test('each is named by the one before it', () => {
    const list = checkTransactions(long.answer, long.args, PROVEN)
    expect(list).toHaveLength(long.answer.ids.length)
    for (const [i, { cell, transaction }] of list.entries()) {
      if (i === 0) expect(cell.hash()).toEqual(long.args.hash)
      else expect(cell.hash()).toEqual(list[i - 1]!.transaction.prev_trans_hash)
      expect(transaction.account_addr).toEqual(long.args.account.id)
    }
  })

  test('none can be left out, moved or added', () => {
    const cells = parseBoc(long.answer.transactions)
    const { ids } = long.answer
    const attempts = [cells.slice(1), cells.toSpliced(2, 1), cells.toReversed(), [cells[0]!, ...cells]]
    for (const cellsGiven of attempts) {
      const forged = { ...long.answer, ids: cellsGiven.map(() => ids[0]!), transactions: serializeBoc(cellsGiven) }
      expect(failureOf(() => checkTransactions(forged, { ...long.args, count: 100 }, PROVEN))).toBe('proof')
    }
    expect(failureOf(() => checkTransactions(long.answer, { ...long.args, count: 1 }, PROVEN))).toBe('proof')
  })

  test('that a block has none with an lt is proven too', () => {
    const { answer, args } = recordedAnswers('liteServer.getOneTransaction').find(({ note }) => note === 'lt 0')!
    expect(checkOneTransaction(answer, args, PROVEN)).toBeNull()
    const present = recordedAnswers('liteServer.getOneTransaction').find((each) => each.answer.transaction.length > 0)!
    const hidden = { ...present.answer, transaction: Buffer.alloc(0) }
    expect(checkOneTransaction(present.answer, present.args, PROVEN)?.transaction.lt).toBe(present.args.lt)
    expect(failureOf(() => checkOneTransaction(hidden, present.args, PROVEN))).toBe('proof')
  })

  test('a list of a block has no gaps', () => {
    const lists = recordedAnswers('liteServer.listBlockTransactions').filter(({ args }) => (args.mode & 39) === 39)
    expect(lists.length).toBeGreaterThan(3)
    for (const { answer, args } of lists) {
      const { transactions } = checkBlockTransactions(answer, args, PROVEN)
      expect(transactions.map(({ lt }) => lt)).toEqual(answer.ids.map(({ lt }) => lt!))
      for (let i = 0; i < answer.ids.length; i++) {
        const shortened = { ...answer, ids: answer.ids.toSpliced(i, 1), incomplete: false }
        expect(failureOf(() => checkBlockTransactions(shortened, args, PROVEN))).toBe('proof')
      }
    }
  })
})

test('a lookup proves the first block that fits, and no other', () => {
  const lookups = recordedAnswers('liteServer.lookupBlockWithProof')
  for (const { answer, args } of lookups) {
    const { id, info } = checkLookup(answer, args, PROVEN)
    expect(id.workchain).toBe(args.id.workchain)
    if (args.mode & 1) expect(info.seq_no).toBe(args.id.seqno)
    if (args.mode & 2) {
      expect(info.end_lt).toBeGreaterThanOrEqual(args.lt!)
      expect(failureOf(() => checkLookup(answer, { ...args, lt: info.end_lt + 1n }, PROVEN))).toBe('proof')
      expect(failureOf(() => checkLookup(answer, { ...args, lt: info.start_lt - 1_000_000n }, PROVEN))).toBe('proof')
    }
    if (args.mode & 4) {
      expect(info.gen_utime).toBeGreaterThanOrEqual(args.utime!)
      expect(failureOf(() => checkLookup(answer, { ...args, utime: info.gen_utime + 1 }, PROVEN))).toBe('proof')
      expect(failureOf(() => checkLookup(answer, { ...args, utime: info.gen_utime - 100 }, PROVEN))).toBe('proof')
    }
    const other = lookups.find((each) => each.args.mc_block_id.seqno !== args.mc_block_id.seqno)!
    const moved = { ...args, mc_block_id: other.args.mc_block_id }
    expect(failureOf(() => checkLookup(answer, moved, PROVEN))).toBe('proof')
  }
})
