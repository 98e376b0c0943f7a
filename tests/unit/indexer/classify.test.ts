import { describe, expect, test } from 'bun:test'
import { classify } from '../../../src/indexer/classify.ts'
import type { Facts } from '../../../src/model/known-account.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { storeStdAddress } from '../../../src/ton/tlb/msg-address.ts'
import { accountNo, madeTrace } from '../../support/made-trace.ts'

const nothing: Facts = () => ({})
const CALL = beginCell().uint(0x12345678, 32).endCell()
const comment = (text: string | Buffer) => beginCell().uint(0, 32).bytes(Buffer.from(text)).endCell()

const told = (trace: Parameters<typeof classify>[0], facts = nothing) =>
  classify(trace, facts).actions.map(({ content, success }) => `${content.type}${success ? '' : ' failed'}`)

describe('basic actions', () => {
  test('are transfers of TON and calls; what crosses the border is none', () => {
    const sends = [{ to: 2 }, { to: 3, body: comment('hello') }, { to: 4, body: CALL }, { to: null, body: CALL }]
    expect(told(madeTrace({ to: 1, sends }))).toEqual(['ton_transfer', 'ton_transfer', 'call_contract'])
  })

  test('tell the comment, with bytes that are no UTF-8 and without zeros', () => {
    const body = comment(Buffer.from([0x61, 0xff, 0xe2, 0x82, 0x00, 0xc3, 0xa9]))
    const [action] = classify(madeTrace({ to: 1, sends: [{ to: 2, body }] }), nothing).actions
    expect(action!.content).toEqual({
      type: 'ton_transfer',
      details: {
        source: accountNo(1),
        destination: accountNo(2),
        value: 1n,
        value_extra_currencies: {},
        comment: 'a\\xff\\xe2\\x82é',
        encrypted: false,
      },
    })
  })

  test('fail when the transaction did, but for calls without money', () => {
    const sends = [
      { to: 2, aborted: true },
      { to: 3, body: CALL, aborted: true, value: 5n },
      { to: 4, body: CALL, aborted: true, value: 0n },
    ]
    expect(told(madeTrace({ to: 1, sends }))).toEqual(['ton_transfer failed', 'call_contract failed', 'call_contract'])
  })

  test('have deployments beside them', () => {
    expect(told(madeTrace({ to: 1, sends: [{ to: 2, body: CALL, deploys: true }] }))).toEqual([
      'call_contract',
      'contract_deploy',
    ])
  })

  test('begin with a tick-tock transaction that sent something', () => {
    expect(told(madeTrace({ to: 1, sends: [{ to: 2 }] }, 'tick_tock'))).toEqual(['tick_tock', 'ton_transfer'])
    expect(told(madeTrace({ to: 1 }, 'tick_tock'))).toEqual([])
  })

  test('stand for a trace of which nothing is known', () => {
    const trace = madeTrace({ to: 1, body: CALL, sends: [{ to: null, body: CALL }] })
    const { actions } = classify(trace, nothing)
    expect(actions).toEqual([
      {
        action_id: trace.trace_id,
        content: { type: 'unknown', details: {} },
        columns: {},
        success: true,
        start_lt: 1001n,
        end_lt: 1001n,
        start_utime: 1001,
        end_utime: 1001,
        transactions: [trace.trace_id],
        accounts: [accountNo(1)],
        ancestor_type: [],
        parent_action_id: null,
      },
    ])
    expect(told(madeTrace({ to: 1, body: CALL, aborted: true }))).toEqual(['unknown failed'])
  })
})

describe('what a wallet did not send', () => {
  const jettons = storeStdAddress(
    storeStdAddress(beginCell().uint(0x0f8a7ea5, 32).uint(1, 64).coins(50n), accountNo(8)),
    accountNo(1),
  )
    .bit(false)
    .coins(1n)
    .bit(false)
    .endCell()
  const relaxed = (to: number, body: ReturnType<typeof comment>) =>
    storeStdAddress(beginCell().uint(0b0110, 4).uint(0, 2), accountNo(to))
      .coins(7n)
      .bit(false)
      .coins(0n)
      .coins(0n)
      .uint(0, 64)
      .uint(0, 32)
      .bit(false)
      .bit(true)
      .ref(body)
      .endCell()
  const signed = beginCell()
    .bytes(Buffer.alloc(64, 0xaa))
    .uint(1, 32)
    .uint(2, 32)
    .uint(3, 32)
    .uint(3, 8)
    .ref(relaxed(5, jettons))
    .uint(3, 8)
    .ref(relaxed(6, comment('pay')))
    .endCell()
  const facts: Facts = (address) =>
    address.hash[0] === 5 ? { jetton_wallet: { owner: accountNo(1), jetton: accountNo(9) } } : {}

  test('is told as failed', () => {
    const trace = madeTrace({ to: 1, body: signed, aborted: true })
    expect(told(trace, facts).sort()).toEqual(['jetton_transfer failed', 'ton_transfer failed'])
    const transfer = classify(trace, facts).actions.find(({ content }) => content.type === 'jetton_transfer')!
    expect(transfer.content.details).toMatchObject({
      asset: accountNo(9),
      sender: accountNo(1),
      receiver: accountNo(8),
      sender_jetton_wallet: accountNo(5),
      receiver_jetton_wallet: null,
      amount: 50n,
    })
    expect(transfer.accounts).toEqual([accountNo(1), accountNo(5)])
  })

  test('is not what it sent and nobody took yet', () => {
    const { trace_id, transactions } = madeTrace({ to: 1, body: signed, sends: [{ to: 5, body: jettons }, { to: 6 }] })
    expect(told({ trace_id, transactions: transactions.slice(0, 1) }, facts)).toEqual(['unknown'])
    expect(told({ trace_id, transactions: transactions.slice(0, 2) }, facts)).toEqual(['call_contract'])
  })
})

describe('a purchase', () => {
  const transfer = storeStdAddress(
    storeStdAddress(beginCell().uint(0x5fcc3d14, 32).uint(1, 64), accountNo(1)),
    accountNo(1),
  )
    .bit(false)
    .coins(1n)
    .bit(false)
    .endCell()
  const facts: Facts = ({ hash }) => {
    if (hash[0] === 2)
      return {
        getgems_sale: {
          nft_address: accountNo(3),
          nft_owner_address: accountNo(4),
          marketplace_address: accountNo(6),
          full_price: 100n,
        },
      }
    if (hash[0] !== 3) return {}
    const content = { _: 'offchain', uri: '' } as const
    return { nft_item: { index: 5n, collection_address: accountNo(7), owner_address: accountNo(1), content } }
  }
  const sale = (to: number) =>
    madeTrace({
      to: 1,
      sends: [
        {
          to: 2,
          value: 120n,
          sends: [
            { to, value: 90n },
            { to: 3, body: transfer, sends: [{ to: 1 }] },
          ],
        },
      ],
    })

  test('holds the transfer of the item, for who does not know purchases', () => {
    const { actions } = classify(sale(4), facts)
    const purchase = actions.find(({ content }) => content.type === 'nft_purchase')!
    expect(purchase.content.details).toMatchObject({ price: 100n, payout_amount: 90n, payout_address: accountNo(4) })
    const inside = actions.filter(({ ancestor_type }) => ancestor_type.includes('nft_purchase'))
    expect(inside.map(({ content }) => content.type).sort()).toEqual(['nft_transfer', 'ton_transfer'])
    for (const one of inside) expect(one.parent_action_id).toEqual(purchase.action_id)
  })

  test('is no more than a transfer where the seller got nothing', () => {
    expect(told(sale(5), facts)).toEqual(['nft_transfer', 'ton_transfer', 'ton_transfer'])
  })
})
