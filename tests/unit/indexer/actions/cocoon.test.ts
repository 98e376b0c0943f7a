import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const NOTHING = factsOf({})
const [OWNER, CLIENT, PROXY, WORKER, ROOT] = [1, 2, 3, 4, 5] as const

const excess: MadeMessage = { to: OWNER, body: query(0x2565934c).endCell() }
const payout: MadeMessage = { to: OWNER, body: query(0xc59a7cd3).endCell(), value: 900n }

const clientData = beginCell().uint(0, 2).coins(1n).coins(2n).uint(3n, 64).uint(4n, 256).endCell()

/** What a client tells its proxy. */
const told = (sends: readonly MadeMessage[] = [], payload?: Builder): MadeMessage => ({
  to: PROXY,
  body: storeAccount(query(0x65448ff4), OWNER).ref(clientData).maybeRef(payload?.endCell()).endCell(),
  sends,
})

const sent = (to: number, body: Builder, sends: readonly MadeMessage[], aborted = false) =>
  madeTrace({ to: OWNER, sends: [{ to, body: body.endCell(), sends, aborted }] })

const signedData = (opcode: number): Builder =>
  storeAccount(beginCell().uint(opcode, 32).uint(7n, 64).uint(55n, 64), WORKER)

/** A message that a proxy signed; `behind` is what stands behind the 53 bits of the account that come first. */
const signed = (opcode: number, behind: Builder): Builder =>
  query(opcode)
    .uint(0b100, 3)
    .int(0, 8)
    .uint(0x1f_ffff_ffff_ffffn, 53)
    .bits(beginParse(behind.endCell()).bits(715))
    .ref(signedData(opcode).endCell())

describe('what an owner asks of a Cocoon client', () => {
  const both = [excess, told()]
  const asked = (opcode: number): Builder => query(opcode)
  const back = (body: Builder): Builder => storeAccount(body, OWNER)

  test('to register', () => {
    const body = back(asked(0xc45f9f3b).uint(18_446_744_073_709_551_615n, 64))
    expect(onlyAction(sent(CLIENT, body, both), NOTHING, 'cocoon_client_register')).toMatchObject({
      success: true,
      content: {
        details: {
          query_id: 7n,
          nonce: 18_446_744_073_709_551_615n,
          source: accountNo(OWNER),
          destination: accountNo(CLIENT),
        },
      },
    })
  })
  test('to take another secret', () => {
    const body = back(asked(0xa9357034).uint(0xabcn, 256))
    const { content } = onlyAction(sent(CLIENT, body, both), NOTHING, 'cocoon_client_change_secret_hash')
    expect(content.details).toMatchObject({ new_secret_hash: 'abc' })
  })
  test('to vouch with more', () => {
    const body = back(asked(0x6a1f6a60).coins(77n))
    const { content, columns } = onlyAction(sent(CLIENT, body, both), NOTHING, 'cocoon_client_increase_stake')
    expect(content.details).toMatchObject({ new_stake: 77n, amount: 77n })
    expect(columns.amount).toBe(77n)
  })
  test('for a refund, itself or through a wallet', () => {
    const refund: MadeMessage = { to: CLIENT, body: back(asked(0xfafa6cc1)).endCell(), sends: both }
    const direct = onlyAction(madeTrace({ to: OWNER, sends: [refund] }), NOTHING, 'cocoon_client_request_refund')
    expect(direct.content.details).toMatchObject({ via_wallet: false })
    const wallet: MadeMessage = {
      to: 9,
      body: asked(0x9c69f376).uint(64, 8).ref(beginCell().endCell()).endCell(),
      sends: [refund],
    }
    const through = madeTrace({ to: OWNER, sends: [wallet] })
    expect(onlyAction(through, NOTHING, 'cocoon_client_request_refund').content.details).toMatchObject({
      via_wallet: true,
      destination: accountNo(CLIENT),
    })
    expect(toldTypes(through, NOTHING)).toHaveLength(5)
  })
  test('is nothing but calls where the client refuses it, or says nothing to its proxy', () => {
    const body = back(asked(0x6a1f6a60).coins(77n))
    expect(toldTypes(sent(CLIENT, body, [], true), NOTHING)).toEqual(['call_contract failed'])
    expect(toldTypes(sent(CLIENT, body, [excess]), NOTHING)).toEqual(['call_contract', 'call_contract'])
  })
  test('is nothing but calls where the body is cut off', () => {
    expect(toldTypes(sent(CLIENT, asked(0xc45f9f3b), both), NOTHING)).not.toContain('cocoon_client_register')
  })
  test('to withdraw: what the client tells its proxy to pay', () => {
    const granted = storeAccount(beginCell().uint(0xc68ebc7b, 32).coins(640n), OWNER)
    const withdraw = (request: MadeMessage) =>
      onlyAction(sent(CLIENT, back(asked(0xda068e78)), [request]), NOTHING, 'cocoon_client_withdraw')
    expect(withdraw(told([payout, excess], granted)).content.details).toMatchObject({
      withdraw_amount: 640n,
      amount: 640n,
    })
    const refused = withdraw(told([{ ...payout, aborted: true }]))
    expect(refused.content.details).toMatchObject({ withdraw_amount: 0n })
    expect(refused.success).toBe(true)
  })
  test('a top up', () => {
    const body = back(asked(0xf172e6c2).coins(500n))
    const { content, columns } = onlyAction(sent(CLIENT, body, [told([excess])]), NOTHING, 'cocoon_client_top_up')
    expect(content.details).toMatchObject({ source: accountNo(OWNER), amount: 500n })
    expect(columns.destination_secondary).toEqual(accountNo(PROXY))
    expect(toldTypes(sent(CLIENT, back(asked(0xf172e6c2).coins(500n)), [told()]), NOTHING)).toHaveLength(2)
  })
})

describe('a Cocoon proxy', () => {
  test('is taken into the list of the root, and off it', () => {
    const registered = sent(ROOT, query(0x927c7cb5).uint(1, 1), [excess])
    expect(onlyAction(registered, NOTHING, 'cocoon_register_proxy').content.details).toEqual({
      query_id: 7n,
      destination: accountNo(ROOT),
    })
    const removed = sent(ROOT, query(0x6d49eaf2).uint(4_294_967_295, 32), [excess])
    expect(onlyAction(removed, NOTHING, 'cocoon_unregister_proxy').content.details).toMatchObject({
      seqno: 4_294_967_295,
    })
  })
  test('pays its owner, who may refuse it', () => {
    const paid = (aborted: boolean) =>
      onlyAction(
        sent(PROXY, storeAccount(query(0x7610e6eb), 8), [{ ...payout, aborted }, excess]),
        NOTHING,
        'cocoon_proxy_payout',
      )
    expect(paid(false)).toMatchObject({
      success: true,
      columns: { source: accountNo(PROXY), destination: accountNo(OWNER), destination_secondary: accountNo(8) },
    })
    expect(paid(true).success).toBe(false)
  })
  test('pays a worker, for the last time too', () => {
    const request: MadeMessage = {
      to: PROXY,
      body: storeAccount(query(0x4d725d2c), OWNER).uint(2, 2).uint(55n, 64).bit(false).endCell(),
      sends: [payout, excess],
    }
    const paid = (opcode: number) =>
      onlyAction(sent(WORKER, signed(opcode, beginCell().uint(0, 715)), [request]), NOTHING, 'cocoon_worker_payout')
    expect(paid(0xa040ad28)).toMatchObject({
      success: true,
      content: { details: { payout_type: 'regular', worker_state: 2, worker_tokens: 55n, amount: 900n } },
      columns: { source_secondary: accountNo(WORKER) },
    })
    expect(paid(0xf5f26a36).content.details).toMatchObject({
      payout_type: 'last',
      new_tokens: 0x801f_ffff_ffff_ffffn,
    })
  })
  test('tells of what a client owes, and whatever address stands where one is looked for', () => {
    const charged = (behind: Builder) =>
      onlyAction(sent(CLIENT, signed(0xbb63ff93, behind), [excess, told()]), NOTHING, 'cocoon_proxy_charge')
    const none = charged(beginCell().uint(0, 715))
    expect(none.content.details).toMatchObject({
      source: accountNo(CLIENT),
      destination: accountNo(PROXY),
      expected_address: null,
    })
    expect(none.columns.amount).toBe(0n)
    const external = beginCell().uint(1, 2).uint(13, 9).uint(0x0abc, 13).uint(0, 691)
    expect(charged(external).content.details).toMatchObject({ expected_address: '13;abc' })
    const internal = beginCell().uint(4, 3).int(-1, 8).uint(0xabcn, 256).uint(0, 448)
    expect(charged(internal).content.details).toMatchObject({ expected_address: `-1:${'0'.repeat(61)}ABC` })
    const variable = beginCell().uint(3, 2).uint(1, 1).uint(0, 712)
    expect(charged(variable).content.details).toMatchObject({ expected_address: null })
  })
  test('grants a refund, which fails with its payment', () => {
    const refunded = (aborted: boolean) =>
      onlyAction(
        sent(CLIENT, signed(0xefd711e1, beginCell().uint(0, 715)), [told([{ ...payout, aborted }, excess])]),
        NOTHING,
        'cocoon_grant_refund',
      )
    expect(refunded(false)).toMatchObject({
      success: true,
      columns: { source_secondary: accountNo(PROXY), destination: accountNo(OWNER), amount: 900n },
    })
    expect(refunded(true).success).toBe(false)
  })
})
