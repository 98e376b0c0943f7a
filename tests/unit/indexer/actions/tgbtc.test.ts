import { describe, expect, test } from 'bun:test'
import { classify } from '../../../../src/indexer/classify.ts'
import type { Facts } from '../../../../src/model/known-account.ts'
import type { Trace } from '../../../../src/model/trace.ts'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const nothing = factsOf({})

/** Types of the actions that are part of no other one. */
const topTypes = (trace: Trace, facts: Facts): string[] =>
  classify(trace, facts)
    .actions.filter(({ ancestor_type }) => ancestor_type.length === 0)
    .map(({ content }) => content.type)

const WALLET = factsOf({ 6: { jetton_wallet: { owner: accountNo(1), jetton: accountNo(5) } } })

const TXID = Buffer.from(Array.from({ length: 32 }, (_, i) => i))
const KEY = Buffer.alloc(32, 7)

const logs = (body: Builder): MadeMessage => ({ to: null, body: body.endCell() })
const minted = logs(storeAccount(beginCell().uint(0x77a80ef3, 32).coins(50n), 1).bytes(TXID))
const burned = (amount: bigint): MadeMessage =>
  logs(storeAccount(storeAccount(beginCell().uint(0xca444ce6, 32).coins(amount), 1), 8))
const newKey = logs(storeAccount(beginCell().uint(0x27756729, 32).coins(900n).bytes(KEY), 8))
const keyMade = logs(beginCell().uint(0x453443a6, 32).uint(1_748_633_438, 64).bytes(KEY))

const TELEPORT = 4
const call = (to: number, opcode: number, sends: readonly MadeMessage[] = [], more: Partial<MadeMessage> = {}) => ({
  to,
  body: query(opcode).endCell(),
  sends,
  ...more,
})

describe('a tgBTC mint', () => {
  const given = storeAccount(storeAccount(query(0x178d4519).coins(50n), 5), 1)
    .coins(0n)
    .bit(false)
    .endCell()
  const asksMinter = (aborted = false): MadeMessage => ({
    to: 5,
    body: storeAccount(query(0x642b7d07), 1).coins(1n).ref(given).endCell(),
    sends: [{ to: 6, body: given, aborted }],
  })
  const proved = (first: number, sends: MadeMessage[]) =>
    madeTrace({
      to: 1,
      sends: [call(TELEPORT, first, [call(3, 0x498af388, [call(TELEPORT, 0xe42a879b, sends)])])],
    })

  test('begins where it was asked for, over any messages', () => {
    const trace = proved(0x3f781d24, [minted, asksMinter()])
    expect(onlyAction(trace, WALLET, 'tgbtc_mint')).toMatchObject({
      success: true,
      content: {
        details: {
          source: accountNo(1),
          destination: accountNo(1),
          amount: 50n,
          asset: accountNo(5),
          bitcoin_tx_id: Buffer.from(TXID).reverse().toString('hex'),
          destination_wallet: accountNo(6),
        },
      },
      columns: { source_secondary: accountNo(TELEPORT) },
    })
    expect(topTypes(trace, WALLET)).toEqual(['tgbtc_mint'])
  })

  test('fails with the minting', () => {
    expect(toldTypes(proved(0x3f781d24, [minted, asksMinter(true)]), WALLET)).toContain('tgbtc_mint failed')
  })

  test('that nobody asked for, or that had nothing minted, is what was told', () => {
    for (const trace of [proved(0x3f781d25, [minted, asksMinter()]), proved(0x3f781d24, [minted])]) {
      const { content, columns } = onlyAction(trace, WALLET, 'tgbtc_mint_fallback')
      expect(content.details).toMatchObject({ source: accountNo(TELEPORT), asset: null, destination_wallet: null })
      expect(columns.source_secondary).toEqual(accountNo(TELEPORT))
    }
  })
})

describe('a tgBTC burn', () => {
  const burning = (sends: readonly MadeMessage[], opcode = 0x7bdd97de) => {
    const burn = storeAccount(query(0x595f07bc).coins(60n), 1).endCell()
    const notified = call(5, 0x7bdd97de, [call(TELEPORT, opcode, sends)])
    return madeTrace({ to: 1, sends: [{ to: 6, body: burn, sends: [notified] }] })
  }
  const pegout = call(8, 0xbe44e7a6, [call(9, 0x1a84c0e0), { to: 1 }])

  test('tells of the lesser amount, whichever way the minter notifies', () => {
    for (const [told, amount] of [
      [50n, 50n],
      [70n, 60n],
    ] as const) {
      for (const opcode of [0x7bdd97de, 0x587643a2]) {
        const { content, columns } = onlyAction(burning([burned(told), pegout], opcode), WALLET, 'tgbtc_burn')
        expect(content.details).toEqual({
          source: accountNo(1),
          source_wallet: accountNo(6),
          destination: accountNo(8),
          amount,
          asset: accountNo(5),
        })
        expect(columns.source_secondary).toEqual(accountNo(6))
      }
    }
  })

  test('takes in the payout', () => {
    for (const sends of [[burned(50n), pegout], [burned(50n)]])
      expect(topTypes(burning(sends), WALLET)).toEqual(['tgbtc_burn'])
  })

  test('by a wallet that is not known is what was told', () => {
    const { content } = onlyAction(burning([burned(50n)]), nothing, 'tgbtc_burn_fallback')
    expect(content.details).toMatchObject({ source: accountNo(1), source_wallet: null, amount: 50n, asset: null })
  })

  test('that is only told begins and ends with what was told', () => {
    const { start_lt, end_lt } = onlyAction(burning([burned(50n)]), nothing, 'tgbtc_burn_fallback')
    expect(start_lt).toBe(end_lt)
  })

  test('is told also with addresses that are cut off, and not without an amount', () => {
    const cut = logs(beginCell().uint(0xca444ce6, 32).coins(5n).uint(2, 2))
    const { content } = onlyAction(madeTrace({ to: 1, sends: [cut] }), nothing, 'tgbtc_burn_fallback')
    expect(content.details).toMatchObject({ source: null, destination: null, amount: 5n })
    expect(toldTypes(madeTrace({ to: 1, sends: [logs(beginCell().uint(0xca444ce6, 32))] }), nothing)).toEqual([
      'unknown',
    ])
  })
})

describe('a new key of tgBTC', () => {
  const given = (sends: readonly MadeMessage[]) => call(TELEPORT, 0x690f357a, sends)

  test('is given by those who made it', () => {
    const trace = madeTrace({ to: 2, sends: [given([newKey, call(8, 0xbe44e7a6)]), keyMade] })
    expect(onlyAction(trace, nothing, 'tgbtc_new_key')).toMatchObject({
      content: {
        details: {
          source: accountNo(2),
          pubkey: KEY.toString('hex'),
          coordinator: accountNo(TELEPORT),
          pegout: accountNo(8),
          amount: 900n,
          asset: null,
        },
      },
      columns: { value: 1_748_633_438n },
    })
  })

  test('is what was told, where one of both did not tell', () => {
    const untold = onlyAction(madeTrace({ to: 2, sends: [given([newKey])] }), nothing, 'tgbtc_new_key_fallback')
    expect(untold.content.details).toMatchObject({ source: null, coordinator: accountNo(TELEPORT) })
    const made = onlyAction(madeTrace({ to: 2, sends: [given([]), keyMade] }), nothing, 'tgbtc_dkg_log_fallback')
    expect(made.content.details).toEqual({
      coordinator: accountNo(2),
      pubkey: KEY.toString('hex'),
      timestamp: 1_748_633_438n,
    })
  })
})

test('what is said to an account is not told the outside', () => {
  const sends = [minted, burned(5n), newKey, keyMade].map((one) => ({ ...one, to: 7 }))
  expect(new Set(toldTypes(madeTrace({ to: 1, sends }), nothing))).toEqual(new Set(['call_contract']))
})
