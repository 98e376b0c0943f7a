import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { intAt } from '../../../../src/contracts/get-methods.ts'
import { newShardAccount } from '../../../../src/devnet/genesis/account-cell.ts'
import { FAUCET, FAUCET_LIMITS, faucetMessage, type Payout } from '../../../../src/devnet/genesis/faucet.ts'
import { createGenesis, FAUCET_BALANCE } from '../../../../src/devnet/genesis/genesis.ts'
import { FAUCET_KEY } from '../../../../src/devnet/genesis/keys.ts'
import { signEd25519 } from '../../../../src/liteserver/curve25519.ts'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { buildDict } from '../../../../src/ton/dictionary-writer.ts'
import { externalMessage } from '../../../../src/ton/external-message.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { stackInt } from '../../../../src/ton/stack.ts'
import { storeStdAddress } from '../../../../src/ton/tlb/msg-address.ts'
import { parseTransactionDescr } from '../../../../src/ton/tlb/transaction-descr.ts'
import { type GenesisLedger, genesisLedger } from '../../../support/genesis-ledger.ts'

const genesis = createGenesis({ gen_utime: 1_800_000_000, shards: 1 })
setDefaultTimeout(60_000)

let ledger: GenesisLedger

beforeEach(async () => {
  ledger = await genesisLedger(genesis)
})

const TON = 1_000_000_000n
const payouts = (count: number, amount = TON): Payout[] =>
  Array.from({ length: count }, (_, i) => ({
    destination: { workchain: 0, hash: Buffer.from((i + 1).toString(16).padStart(64, '0'), 'hex') },
    amount,
  }))

const balance = (address: Payout['destination']): bigint => {
  const account = ledger.account(address)
  return account._ === 'account' ? account.storage.balance.grams : 0n
}

const exitCode = (message: Cell): number | undefined => {
  const { executed } = ledger.send(message)
  return !executed.done && executed.reason === 'not_accepted' ? executed.exit_code : undefined
}

/** The message without the checks of `faucetMessage`. */
const forced = (list: readonly Payout[], query_id: bigint, valid_until: number, seed = FAUCET_KEY.seed): Cell => {
  const items = list.map(({ destination, amount }, i) => ({
    key: Buffer.of(i),
    store: (builder: Builder) => storeStdAddress(builder, destination).coins(amount),
  }))
  const order = beginCell().uint(valid_until, 32).uint(query_id, 64).maybeRef(buildDict(items, 8)).endCell()
  const body = beginCell().bytes(signEd25519(seed, order.hash())).slice(beginParse(order)).endCell()
  return externalMessage({ dest: FAUCET.address, body, init: undefined })
}

const putFaucet = (grams: bigint, data: Cell): void => {
  const { address, init } = FAUCET
  const rest = { fixed_prefix_length: null, special: null, library: null }
  const state = { _: 'account_active', code: init.code, data, ...rest } as const
  ledger.put(address, newShardAccount({ address, balance: { grams, other: null }, state, last_paid: ledger.now }))
}

describe('the faucet', () => {
  test('pays to as many accounts at once as it may, and for the fees itself', () => {
    const list = payouts(FAUCET_LIMITS.payouts)
    const { executed, transactions } = ledger.send(faucetMessage(list, 1n, ledger.now + 60))
    expect(executed.done).toBe(true)
    expect(transactions.length).toBe(list.length + 1)
    for (const { destination, amount } of list) expect(balance(destination)).toBe(amount)
    const left = balance(FAUCET.address)
    expect(left).toBeLessThan(FAUCET_BALANCE - BigInt(list.length) * TON)
    expect(left).toBeGreaterThan(FAUCET_BALANCE - BigInt(list.length) * TON - TON)
  })

  test('takes messages in any order, each once', async () => {
    const until = ledger.now + 60
    const messages = [5n, 3n, 4n].map((id) => faucetMessage(payouts(1), id, until))
    for (const message of messages) expect(ledger.send(message).executed.done).toBe(true)
    for (const message of messages) expect(exitCode(message)).toBe(37)
    expect(balance(payouts(1)[0]!.destination)).toBe(3n * TON)
    const { stack } = await ledger.run(FAUCET.address, 'is_paid', [stackInt(3), stackInt(until)])
    expect(intAt(stack, 0)).toBe(-1n)
    const other = await ledger.run(FAUCET.address, 'is_paid', [stackInt(6), stackInt(until)])
    expect(intAt(other.stack, 0)).toBe(0n)
  })

  test('refuses foreign signatures, and messages that are valid no longer or too long', () => {
    const { now } = ledger
    const { lifetime } = FAUCET_LIMITS
    expect(exitCode(forced(payouts(1), 1n, now + 60, Buffer.alloc(32, 1)))).toBe(34)
    expect(exitCode(faucetMessage(payouts(1), 1n, now))).toBe(35)
    expect(exitCode(faucetMessage(payouts(1), 1n, now + lifetime + 1))).toBe(36)
    expect(ledger.send(faucetMessage(payouts(1), 1n, now + lifetime)).executed.done).toBe(true)
    expect(balance(payouts(1)[0]!.destination)).toBe(TON)
  })

  test('pays nothing of a message that goes beyond its limits, and sees it as done', () => {
    const until = ledger.now + 60
    const beyond: [payouts: Payout[], exit_code: number][] = [
      [payouts(FAUCET_LIMITS.payouts + 1), 39],
      [[], 39],
      [payouts(1, FAUCET_LIMITS.amount + 1n), 40],
      [payouts(1, 0n), 40],
    ]
    for (const [i, [list, exit_code]] of beyond.entries()) {
      expect(() => faucetMessage(list, BigInt(i), until)).toThrow('the faucet')
      const { executed, transactions } = ledger.send(forced(list, BigInt(i), until))
      expect(executed.done).toBe(true)
      expect(transactions.length).toBe(1)
      expect(parseTransactionDescr(transactions[0]!.description)).toMatchObject({ compute_ph: { exit_code } })
      expect(exitCode(forced(list, BigInt(i), until))).toBe(37)
    }
    expect(balance(payouts(1)[0]!.destination)).toBe(0n)
  })

  test('keeps what it needs itself', () => {
    const until = ledger.now + 60
    const list = payouts(2, FAUCET_LIMITS.amount)
    const millions = 2n * FAUCET_LIMITS.amount
    putFaucet(millions + 9n * TON, FAUCET.init.data)
    const { transactions } = ledger.send(faucetMessage(list, 1n, until))
    expect(transactions.length).toBe(1)
    expect(parseTransactionDescr(transactions[0]!.description)).toMatchObject({ compute_ph: { exit_code: 41 } })
    putFaucet(millions + 11n * TON, FAUCET.init.data)
    expect(ledger.send(faucetMessage(list, 1n, until)).transactions.length).toBe(3)
  })

  test('forgets what is valid no longer', async () => {
    const { now } = ledger
    for (let i = 0; i < 40; i++) ledger.send(faucetMessage(payouts(1), BigInt(i), now + 60 + i))
    const remembered = async () => intAt((await ledger.run(FAUCET.address, 'get_remembered')).stack, 0)
    expect(await remembered()).toBe(40n)
    ledger.now = now + 100
    ledger.send(faucetMessage(payouts(1), 100n, now + 200))
    expect(await remembered()).toBe(9n)
    ledger.send(faucetMessage(payouts(1), 101n, now + 200))
    expect(await remembered()).toBe(2n)
  })

  test('takes no further message while it remembers as many as it can', () => {
    const { now } = ledger
    const remember = (until: (i: number) => number): void => {
      const items = Array.from({ length: FAUCET_LIMITS.remembered }, (_, i) => {
        const key = Buffer.alloc(12)
        key.writeUInt32BE(until(i), 0)
        key.writeBigUInt64BE(BigInt(i) << 40n, 4)
        return { key, store: (builder: Builder) => builder.bit(true) }
      }).toSorted((a, b) => Buffer.compare(a.key, b.key))
      const data = beginCell()
        .bytes(FAUCET_KEY.publicKey)
        .uint(FAUCET_LIMITS.remembered, 16)
        .maybeRef(buildDict(items, 96))
        .endCell()
      putFaucet(FAUCET_BALANCE, data)
    }
    remember((i) => now + 1 + (i % 600))
    expect(exitCode(faucetMessage(payouts(1), 1n, now + 60))).toBe(38)
    remember((i) => now + (i % 600))
    expect(ledger.send(faucetMessage(payouts(1), 1n, now + 60)).executed.done).toBe(true)
    expect(exitCode(faucetMessage(payouts(1), 1n, now + 60))).toBe(37)
  })

  test('says its limits and its key', async () => {
    const { stack } = await ledger.run(FAUCET.address, 'get_limits')
    const { payouts, amount, lifetime, remembered } = FAUCET_LIMITS
    expect([0, 1, 2, 3].map((i) => intAt(stack, i))).toEqual([
      BigInt(payouts),
      amount,
      BigInt(lifetime),
      BigInt(remembered),
    ])
    const key = await ledger.run(FAUCET.address, 'get_public_key')
    expect(intAt(key.stack, 0)).toBe(BigInt(`0x${FAUCET_KEY.publicKey.toString('hex')}`))
  })
})
