import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { transactionFees } from '../../../src/model/fees.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { makeCell } from '../../../src/ton/data-cell.ts'
import { externalMessage, initCell } from '../../../src/ton/external-message.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { parseAccount } from '../../../src/ton/tlb/account.ts'
import { parseMessage } from '../../../src/ton/tlb/message.ts'
import { parseShardStateUnsplit, shardAccount } from '../../../src/ton/tlb/shard-state.ts'
import { parseStateInit } from '../../../src/ton/tlb/state-init.ts'
import { parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr, type TransactionDescr } from '../../../src/ton/tlb/transaction-descr.ts'
import { tvmConfig } from '../../../src/tvm/config.ts'
import { emulateTransaction as executed, type TransactionCall } from '../../../src/tvm/emulate.ts'
import type { TvmPool } from '../../../src/tvm/pool.ts'
import {
  lacksCurrency,
  type RecordedExternal,
  recordedConfig,
  recordedExternals,
} from '../../support/recorded-externals.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { startTvm } from '../../support/tvm.ts'

const HEAD = 360
const NOW = 1_795_821_300

/** The transaction; undefined where there is none. */
const emulateTransaction = async (tvm: TvmPool, call: TransactionCall): Promise<Cell | undefined> => {
  const made = await executed(tvm, call)
  return made.done ? made.transaction : undefined
}

let tvm: TvmPool
beforeAll(() => {
  tvm = startTvm()
})
afterAll(() => tvm.stop())

const BLOCK = {
  workchain: -1,
  shard: -(2n ** 63n),
  seqno: 1,
  root_hash: Buffer.alloc(32, 1),
  file_hash: Buffer.alloc(32, 2),
}
const NO_BLOCKS = { last_mc_blocks: [], prev_key_block: BLOCK, last_mc_blocks_100: [] }

const context = {
  rand_seed: Buffer.alloc(32, 7),
  ignore_chksig: false,
  libraries: async () => [],
  prevBlocks: async () => {
    throw new Error('nobody asked for earlier blocks')
  },
}

const entryCell = (account: Cell, hash: Buffer, lt: bigint): Cell =>
  beginCell().ref(account).bytes(hash).uint(lt, 64).endCell()

const codesOf = ({ entry, message }: RecordedExternal): Cell[] => {
  const account = parseAccount(entry.account)
  const { init } = parseMessage(message)
  const state = account._ === 'account' ? account.storage.state : undefined
  const codes = [state?._ === 'account_active' ? state.code : null, init && parseStateInit(init).code]
  return codes.filter((code) => code !== null)
}

const callOf = (recorded: RecordedExternal): TransactionCall => {
  const { entry, message, transaction, block } = recorded
  const { now, lt } = parseTransaction(transaction)
  return {
    ...context,
    account: entryCell(entry.account, entry.last_trans_hash, entry.last_trans_lt),
    codes: codesOf(recorded),
    message,
    now,
    lt,
    config: tvmConfig(recordedConfig(block.mc_seqno - 1)),
    prevBlocks: async () => NO_BLOCKS,
  }
}

const ordinary = (transaction: Cell): Extract<TransactionDescr, { _: 'trans_ord' }> => {
  const descr = parseTransactionDescr(parseTransaction(transaction).description)
  if (descr._ !== 'trans_ord') throw new Error('not the transaction of a message')
  return descr
}

/** What a transaction did, without what depends on the block around it (hashes, random numbers). */
const outcome = (transaction: Cell) => {
  const { storage_ph, compute_ph, action } = ordinary(transaction)
  const { outmsg_cnt, end_status, total_fees } = parseTransaction(transaction)
  const { action_list_hash, ...acted } = { action_list_hash: null, ...action }
  return { storage_ph, compute_ph, acted, outmsg_cnt, end_status, total_fees }
}

const V4R2 = 'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0'

/** The messages that wallets sent: up to three of each account, the first and the last ones among them. */
const sampled = (): RecordedExternal[] => {
  const byAccount = Map.groupBy(recordedExternals(), ({ address }) => address.hash.toString('hex'))
  return [...byAccount.values()].flatMap((all) => [
    ...new Set([all[0]!, all[Math.floor(all.length / 2)]!, all.at(-1)!]),
  ])
}

describe('an external message of the recorded network', () => {
  const all = sampled()
  const [possible, impossible] = [all.filter((each) => !lacksCurrency(each)), all.filter(lacksCurrency)]
  const ofWallet = all.findLast((each) => codesOf(each)[0]?.hash().toString('hex') === V4R2)!

  test('makes the same transaction again', async () => {
    expect(possible.length).toBeGreaterThan(100)
    const codes = new Set<string>()
    for (const recorded of possible) {
      const made = await emulateTransaction(tvm, callOf(recorded))
      expect(outcome(made!)).toEqual(outcome(recorded.transaction))
      expect(transactionFees(made!)).toEqual(transactionFees(recorded.transaction))
      for (const code of codesOf(recorded)) codes.add(code.hash().toString('hex'))
    }
    expect(codes.size).toBeGreaterThan(15)
  }, 60_000)

  test('that sends more of an extra currency than there is, is more than the emulator can do', async () => {
    expect(impossible.length).toBeGreaterThan(0)
    for (const recorded of impossible)
      expect(await rejectionOf(emulateTransaction(tvm, callOf(recorded)))).toMatchObject({ kind: 'unsupported' })
  })

  test('counts once: its seqno is used up', async () => {
    const { accounts } = parseShardStateUnsplit(ofWallet.block.state)
    const entry = shardAccount(accounts, ofWallet.address.hash)!
    const account = entryCell(entry.account, entry.last_trans_hash, entry.last_trans_lt)
    expect(await emulateTransaction(tvm, { ...callOf(ofWallet), account, lt: 0n })).toBeUndefined()
  })

  test('with another signature is refused, unless no signature counts', async () => {
    const body = beginParse(parseMessage(ofWallet.message).body)
    body.skip(512)
    const forged = beginCell().bytes(Buffer.alloc(64, 5)).slice(body).endCell()
    const message = externalMessage({ dest: ofWallet.address, body: forged, init: undefined })
    const call = { ...callOf(ofWallet), message }
    expect(await emulateTransaction(tvm, call)).toBeUndefined()
    const made = await emulateTransaction(tvm, { ...call, ignore_chksig: true })
    expect(outcome(made!)).toEqual(outcome(ofWallet.transaction))
  })
})

/** An account without state that holds some nano-units. */
const uninit = (hash: Buffer, balance: bigint): Cell => {
  const account = beginCell()
    .bit(true)
    .uint(0b100, 3)
    .int(0, 8)
    .bytes(hash)
    .varUint(1n, 7)
    .varUint(100n, 7)
    .uint(0, 3)
    .uint(NOW - 100, 32)
    .bit(false)
    .uint(1, 64)
    .coins(balance)
    .bit(false)
    .uint(0, 2)
    .endCell()
  return entryCell(account, Buffer.alloc(32), 0n)
}

const EMPTY = beginCell().endCell()
/** ACCEPT, as any code that runs. */
const ACCEPT = beginCell().uint(0xf800, 16).endCell()
const libraryOf = (cell: Cell): Cell => makeCell(new Uint8Array([2, ...cell.hash()]), 264, [], true)

/** A message that deploys `code` at its address, to be processed there. */
const deployment = (code: Cell, data: Cell = EMPTY, balance = 10_000_000_000n): TransactionCall => {
  const init = { code, data }
  const hash = initCell(init).hash()
  return {
    ...context,
    account: uninit(hash, balance),
    codes: [code],
    message: externalMessage({ dest: { workchain: 0, hash }, body: EMPTY, init }),
    now: NOW,
    lt: 0n,
    config: tvmConfig(recordedConfig(HEAD)),
  }
}

/** The given libraries exist; counts how often one is looked for. */
const withLibraries = (call: TransactionCall, libraries: readonly Cell[]): TransactionCall & { asked: string[] } => {
  const asked: string[] = []
  const find = async (hashes: readonly Buffer[]) => {
    asked.push(...hashes.map((hash) => hash.toString('hex')))
    return libraries.filter((library) => hashes.some((hash) => hash.equals(library.hash())))
  }
  return { ...call, libraries: find, asked }
}

const exitCode = (transaction: Cell | undefined): number | undefined => {
  const compute = transaction && ordinary(transaction).compute_ph
  return compute?._ === 'tr_phase_compute_vm' ? compute.exit_code : undefined
}

describe('an external message', () => {
  test('deploys an account', async () => {
    const made = await emulateTransaction(tvm, deployment(ACCEPT))
    expect(exitCode(made)).toBe(0)
    expect(parseTransaction(made!).end_status).toBe('acc_state_active')
  })

  test('finds no account that it could be for', async () => {
    const call = deployment(ACCEPT)
    const elsewhere = uninit(Buffer.alloc(32, 1), 10_000_000_000n)
    const message = externalMessage({
      dest: { workchain: 0, hash: Buffer.alloc(32, 1) },
      body: EMPTY,
      init: { code: ACCEPT, data: EMPTY },
    })
    expect(await emulateTransaction(tvm, { ...call, account: elsewhere, message })).toBeUndefined()
  })

  test('cannot be paid for', async () => {
    expect(await emulateTransaction(tvm, deployment(ACCEPT, EMPTY, 1000n))).toBeUndefined()
  })

  test('runs code that is a library, also one that names another', async () => {
    // PUSHREF XCTOS DROP, then ACCEPT: reads the cell that its reference names.
    const reading = beginCell().uint(0x88, 8).ref(libraryOf(EMPTY)).uint(0xd739, 16).uint(0x30, 8).uint(0x30, 8)
    const inner = reading.uint(0xf800, 16).endCell()
    const call = withLibraries(deployment(libraryOf(inner)), [inner, EMPTY])
    expect(exitCode(await emulateTransaction(tvm, call))).toBe(0)
    expect(call.asked).toEqual([inner.hash().toString('hex'), EMPTY.hash().toString('hex')])
    const without = withLibraries(deployment(libraryOf(inner)), [])
    expect(await emulateTransaction(tvm, without)).toBeUndefined()
  })

  test('runs code that a library in the data holds', async () => {
    // PUSHROOT CTOS BLESS EXECUTE: runs what the data names.
    const jump = beginCell().uint(0xed44, 16).uint(0xd0, 8).uint(0xed1e, 16).uint(0xd8, 8).endCell()
    const data = libraryOf(ACCEPT)
    const call = withLibraries({ ...deployment(jump, data), prevBlocks: async () => NO_BLOCKS }, [ACCEPT])
    expect(exitCode(await emulateTransaction(tvm, call))).toBe(0)
    expect(call.asked).toEqual([ACCEPT.hash().toString('hex')])
  })

  test('sees the earlier blocks when its code may look at them', async () => {
    const looking = beginCell().uint(0xf83400, 24).uint(0xf800, 16).endCell()
    let asked = 0
    const prevBlocks = async () => {
      asked++
      return NO_BLOCKS
    }
    expect(exitCode(await emulateTransaction(tvm, { ...deployment(looking), prevBlocks }))).toBe(0)
    expect(asked).toBe(1)
  })

  test('that never ends runs into its gas limit', async () => {
    const endless = beginCell().uint(0xf800, 16).uint(0x90, 8).uint(0xea, 8).endCell()
    const made = await emulateTransaction(tvm, deployment(endless))
    expect(exitCode(made)).toBe(-14)
    expect(transactionFees(made!).gas_fee).toBe(400_000_000n)
  })

  test('to an account that cannot be read is an error', async () => {
    const call = { ...deployment(ACCEPT), account: entryCell(EMPTY, Buffer.alloc(32), 0n) }
    expect(await rejectionOf(emulateTransaction(tvm, call))).toMatchObject({ kind: 'unsupported', code: 500 })
  })
})
