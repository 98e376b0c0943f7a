import { beforeAll, describe, expect, test } from 'bun:test'
import { withParam } from '../../../src/devnet/collate/key-block-config.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { buildDict } from '../../../src/ton/dictionary-writer.ts'
import { externalMessage, initCell } from '../../../src/ton/external-message.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { buildAccount, loadShardAccount, parseAccount, storeShardAccount } from '../../../src/ton/tlb/account.ts'
import { buildMessage } from '../../../src/ton/tlb/message.ts'
import { type MsgAddressInt, storeMsgAddressInt } from '../../../src/ton/tlb/msg-address.ts'
import { buildCell } from '../../../src/ton/tlb/tag.ts'
import { parseHashUpdate, parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../../src/ton/tlb/transaction-descr.ts'
import { tvmConfig } from '../../../src/tvm/config.ts'
import { createExecutor, type Executed, type ExecutionContext, type Executor } from '../../../src/tvm/executor.ts'
import { recordedConfig } from '../../support/recorded-externals.ts'

const HEAD = 360
const NOW = 1_795_821_300
const EMPTY = beginCell().endCell()
const TON = 1_000_000_000n

let executor: Executor
let context: ExecutionContext
beforeAll(async () => {
  executor = await createExecutor()
  context = {
    now: NOW,
    lt: 1_000_000n,
    rand_seed: Buffer.alloc(32, 7),
    config: tvmConfig(recordedConfig(HEAD)),
    libraries: null,
    prevBlocks: () => {
      throw new Error('nobody asked for earlier blocks')
    },
  }
})

const addressOf = (address: Buffer): MsgAddressInt => ({ _: 'addr_std', anycast: null, workchain_id: 0, address })

/** Amounts by currency. */
const currencies = (amounts: Record<number, bigint>): Cell | null =>
  buildDict(
    Object.entries(amounts).map(([id, amount]) => {
      const key = Buffer.alloc(4)
      key.writeInt32BE(Number(id))
      return { key, store: (builder) => builder.varUint(amount, 32) }
    }),
    32,
  )

/** An account with this code (TL-B ShardAccount). */
const contract = (code: Cell, other: Cell | null = null) => {
  const hash = initCell({ code, data: EMPTY }).hash()
  const account = buildAccount({
    _: 'account',
    addr: addressOf(hash),
    storage_stat: {
      used: { cells: 3n, bits: 500n },
      public_cells: 0n,
      storage_extra: { _: 'storage_extra_none' },
      last_paid: NOW - 10,
      due_payment: null,
    },
    storage: {
      last_trans_lt: 10n,
      balance: { grams: 10n * TON, other },
      state: {
        _: 'account_active',
        fixed_prefix_length: null,
        special: null,
        code,
        data: EMPTY,
        library: null,
      },
    },
  })
  return {
    hash,
    cell: buildCell(storeShardAccount, { account, last_trans_hash: Buffer.alloc(32, 1), last_trans_lt: 9n }),
  }
}

const internal = (dest: Buffer, grams: bigint, other: Cell | null = null): Cell =>
  buildMessage({
    info: {
      _: 'int_msg_info',
      ihr_disabled: true,
      bounce: true,
      bounced: false,
      src: addressOf(Buffer.alloc(32, 2)),
      dest: addressOf(dest),
      value: { grams, other },
      extra_flags: 0n,
      fwd_fee: 0n,
      created_lt: 100n,
      created_at: NOW,
    },
    init: null,
    init_in_ref: false,
    body: EMPTY,
    body_in_ref: false,
  })

/** TL-B MessageRelaxed with a tenth of a TON and these currencies; the sender's address is left to the node. */
const toSend = (other: Cell): Cell => {
  const head = storeMsgAddressInt(beginCell().uint(0b0100, 4).uint(0, 2), addressOf(Buffer.alloc(32, 4)))
  return head
    .coins(TON / 10n)
    .bit(true)
    .ref(other)
    .uint(0, 4 + 4 + 64 + 32 + 2)
    .endCell()
}

type Done = Extract<Executed, { done: true }>

const done = (executed: Executed): Done => {
  if (!executed.done) throw new Error(executed.reason)
  return executed
}

const exitCode = ({ transaction }: Done): number | undefined => {
  const descr = parseTransactionDescr(parseTransaction(transaction).description)
  const compute = descr._ === 'trans_ord' ? descr.compute_ph : undefined
  return compute?._ === 'tr_phase_compute_vm' ? compute.exit_code : undefined
}

/** What a transaction says of its account, and what the account says of its transaction, must fit. */
const checkOutcome = ({ transaction, account }: Done, before: Cell): void => {
  const entry = loadShardAccount(beginParse(account))
  expect(entry.last_trans_hash).toEqual(transaction.hash())
  expect(parseHashUpdate(parseTransaction(transaction).state_update)).toEqual({
    old_hash: loadShardAccount(beginParse(before)).account.hash(),
    new_hash: entry.account.hash(),
  })
}

describe('an external message', () => {
  const throwing = beginCell().uint(0xf22a, 16).endCell()

  test('to an account without state is rejected before anything runs', () => {
    const none = buildCell(storeShardAccount, {
      account: beginCell().bit(false).endCell(),
      last_trans_hash: Buffer.alloc(32),
      last_trans_lt: 0n,
    })
    const dest = { workchain: 0, hash: Buffer.alloc(32, 3) }
    const executed = executor.ordinary(none, externalMessage({ dest, body: EMPTY, init: undefined }), context)
    expect(executed).toEqual({ done: false, reason: 'rejected' })
  })

  test('that the contract does not accept makes no transaction; a second run tells more', () => {
    const { hash, cell } = contract(throwing)
    const message = externalMessage({ dest: { workchain: 0, hash }, body: EMPTY, init: undefined })
    expect(executor.ordinary(cell, message, context)).toEqual({ done: false, reason: 'not_accepted', exit_code: 42 })
    const { steps, vm_log } = executor.trace(cell, message, context)
    expect(steps).toBe(1)
    expect(vm_log).toContain('execute THROW 42\n')
  })
})

describe('a contract at which the emulator breaks', () => {
  /** PUSHREF, PUSHINT 0, SENDRAWMSG: sends ten of currency 1. */
  const sending = beginCell()
    .uint(0x88, 8)
    .ref(toSend(currencies({ 1: 10n })!))
    .uint(0x70, 8)
    .uint(0xfb00, 16)
    .endCell()

  test('does as a node lets it when it has too little of a currency', () => {
    const other = currencies({ 1: 5n, 2: 7n })
    const { hash, cell } = contract(sending, other)
    const executed = done(executor.ordinary(cell, internal(hash, TON), context))
    const descr = parseTransactionDescr(parseTransaction(executed.transaction).description)
    expect(descr).toMatchObject({ compute_ph: { success: true }, action: { success: false, result_code: 38 } })
    checkOutcome(executed, cell)
    const account = parseAccount(loadShardAccount(beginParse(executed.account)).account)
    expect(account._ === 'account' && account.storage.balance.other?.hash()).toEqual(other!.hash())
  })

  test('fails, and keeps its code, where nothing else helps, however often it is asked', async () => {
    const { hash, cell } = contract(sending, currencies({ 1: 5n }))
    const before = parseAccount(loadShardAccount(beginParse(cell)).account)
    for (let i = 0; i < 6; i++) {
      await executor.ready()
      const executed = done(executor.ordinary(cell, internal(hash, TON, currencies({ 1: 1n })), context))
      expect(exitCode(executed)).toBe(2047)
      checkOutcome(executed, cell)
      const after = parseAccount(loadShardAccount(beginParse(executed.account)).account)
      if (before._ !== 'account' || after._ !== 'account') throw new Error('no account')
      expect(after.storage.state).toEqual(before.storage.state)
      expect(after.storage_stat.used).toEqual(before.storage_stat.used)
    }
  })

  test('is no matter to the next one', async () => {
    await executor.ready()
    const { hash, cell } = contract(beginCell().endCell())
    expect(exitCode(done(executor.ordinary(cell, internal(hash, TON), context)))).toBe(0)
  })

  test('may be run where a change of the configuration was to blame', async () => {
    const { hash, cell } = contract(beginCell().endCell())
    const message = internal(hash, TON)
    const noDictionary = withParam(recordedConfig(HEAD), 31, beginCell().bit(true).endCell())
    const broken = { ...context, config: tvmConfig(noDictionary) }
    for (let i = 0; i < 2; i++) {
      await executor.ready()
      expect(() => executor.ordinary(cell, message, broken)).toThrow('cannot be emulated')
      await executor.ready()
      expect(exitCode(done(executor.ordinary(cell, message, context)))).toBe(0)
    }
  })
})
