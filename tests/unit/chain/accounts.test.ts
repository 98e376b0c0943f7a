import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createAccountCache } from '../../../src/chain/account-cache.ts'
import { accountEdge, readAccount, readAccountWithSuspension } from '../../../src/chain/accounts.ts'
import type { Chain } from '../../../src/chain/chain.ts'
import type { Address } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import type { ProvenAccount } from '../../../src/ton/proof/account.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { rejectionOf } from '../../support/rejection.ts'

const ELECTOR = { workchain: -1, hash: Buffer.alloc(32, 0x33) }
const NOBODY = { workchain: 0, hash: Buffer.alloc(32, 0xaa) }
const signal = new AbortController().signal

describe('reading accounts', () => {
  let reader: ArchiveReader
  beforeAll(async () => {
    reader = await startArchiveReader()
  })
  afterAll(() => reader.stop())

  const countedBy = async (run: () => Promise<unknown>): Promise<Record<string, number>> => {
    const before = reader.asked()
    await run()
    return Object.fromEntries(
      Object.entries(reader.asked())
        .map(([method, n]) => [method, n - (before[method] ?? 0)] as const)
        .filter(([, n]) => n > 0),
    )
  }

  test('the newest state costs one question for each account and block, with the suspended list once known', async () => {
    const read = (address: Address) => readAccountWithSuspension(reader.chain, address, { seqno: undefined, signal })
    await read(ELECTOR)
    expect(await countedBy(() => Promise.all([read(NOBODY), read(NOBODY), read(NOBODY)]))).toEqual({
      getAccountState: 1,
    })
    expect(await countedBy(() => Promise.all([read(NOBODY), read(ELECTOR)]))).toEqual({})
  })

  test('a caller that gives up leaves the shared question to the others', async () => {
    const leaving = new AbortController()
    const address = { workchain: 0, hash: Buffer.alloc(32, 0xab) }
    const read = (signal: AbortSignal) => readAccount(reader.chain, address, { seqno: undefined, signal })
    const both = Promise.all([rejectionOf(read(leaving.signal)), read(signal)])
    leaving.abort()
    const [error, account] = await both
    expect(error?.kind).toBe('timeout')
    expect(account.status).toBe('nonexist')
  })

  test('a seqno pins the answer to that masterchain block', async () => {
    const { last } = recordedChain()
    const old = await readAccount(reader.chain, ELECTOR, { seqno: 50, signal })
    const now = await readAccount(reader.chain, ELECTOR, { seqno: undefined, signal })
    expect([old.block, now.block].map(({ seqno }) => seqno)).toEqual([50, last])
    expect(old.block).toEqual(recordedChain().masterchain(50)!.id)
    expect(old.last_transaction.lt < now.last_transaction.lt).toBe(true)
    expect(await countedBy(() => readAccount(reader.chain, ELECTOR, { seqno: 50, signal }))).toEqual({})
  })

  test('an account that does not exist is an answer', async () => {
    const { account, suspended } = await readAccountWithSuspension(reader.chain, NOBODY, { seqno: undefined, signal })
    expect(account).toMatchObject({ status: 'nonexist', balance: 0n, code: null, last_transaction: { lt: 0n } })
    expect(suspended).toBe(false)
  })

  test('configuration parameter 44 of the pinned block suspends an account until its time', async () => {
    const { chain } = reader
    const lastKeyBlock = String(recordedChain().keyBlocks.at(-1))
    const suspending = (until: number): Cell => {
      const addresses = beginCell().uint(0b10, 2).uint(288, 9).int(NOBODY.workchain, 32).bytes(NOBODY.hash).endCell()
      const list = beginCell().uint(0, 8).maybeRef(addresses).uint(until, 32).endCell()
      return beginCell().uint(0b10, 2).uint(32, 6).int(44, 32).ref(list).endCell()
    }
    const isSuspended = async (until: number, address: Address) => {
      chain.configs.put(lastKeyBlock, suspending(until))
      return (await readAccountWithSuspension(chain, address, { seqno: undefined, signal })).suspended
    }
    const { gen_utime } = await readAccount(chain, NOBODY, { seqno: undefined, signal })
    expect(await isSuspended(gen_utime + 1, NOBODY)).toBe(true)
    expect(await isSuspended(gen_utime, NOBODY)).toBe(false)
    expect(await isSuspended(gen_utime + 1, ELECTOR)).toBe(false)
  })

  test('so is one in a workchain that does not exist, at the masterchain block and its time', async () => {
    const account = await readAccount(reader.chain, { ...NOBODY, workchain: 7 }, { seqno: 100, signal })
    expect(account.status).toBe('nonexist')
    expect(account.gen_utime).toBe(1795820978)
  })

  test('a seqno that the chain has not reached is the error of the liteserver', async () => {
    const error = await rejectionOf(readAccount(reader.chain, ELECTOR, { seqno: 100_000, signal }))
    expect(error).toMatchObject({ kind: 'liteserver', code: 651 })
    expect(error?.message).toContain('cannot find block (-1,8000000000000000) seqno=100000')
  })

  test('the newest transaction is the one of the account state, and asked for once where neither is known', async () => {
    const edgeOf = (chain: Chain, address: Address) => accountEdge(chain, address, {})
    const { chain } = reader
    const { last_transaction } = await readAccount(chain, ELECTOR, { seqno: undefined, signal })
    const edge = {
      transaction: last_transaction,
      end_lt: recordedChain().masterchain(recordedChain().last)!.info.end_lt,
    }
    expect(await countedBy(async () => expect(await edgeOf(chain, ELECTOR)).toEqual(edge))).toEqual({})
    const fresh = { ...chain, accounts: createAccountCache<ProvenAccount>(1) }
    const twice = async () => expect([await edgeOf(fresh, ELECTOR), await edgeOf(fresh, ELECTOR)]).toEqual([edge, edge])
    expect(await countedBy(twice)).toEqual({ getAccountStatePrunned: 1 })
    expect((await accountEdge(reader.chain, NOBODY, {})).transaction.lt).toBe(0n)
    expect((await accountEdge(reader.chain, { ...NOBODY, workchain: 7 }, {})).end_lt).toBe(0n)
  })
})
