import { describe, expect, test } from 'bun:test'
import { classify } from '../../../../src/indexer/classify.ts'
import { tryParseAddress } from '../../../../src/ton/address.ts'
import { factsOf, onlyAction, query, saying, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const [SENDER, FROM, TO, RECEIVER, MINTER] = [1, 2, 3, 4, 5] as const
const wallet = (owner: number, jetton = accountNo(MINTER)) => ({ jetton_wallet: { owner: accountNo(owner), jetton } })
const FACTS = factsOf({ [FROM]: wallet(SENDER), [TO]: wallet(RECEIVER) })
const NOTHING = factsOf({})
const PTON = tryParseAddress('0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C')!

const asking = (receiver = RECEIVER as number) =>
  storeAccount(storeAccount(query(0x0f8a7ea5).coins(100n), receiver), SENDER)
    .bit(false)
    .coins(3n)
const given = (amount = 100n) =>
  storeAccount(storeAccount(query(0x178d4519).coins(amount), SENDER), SENDER)
    .coins(2n)
    .bit(false)
    .endCell()

describe('a jetton transfer', () => {
  const transfer = (body = asking().bit(false).endCell(), more: Partial<MadeMessage> = {}) =>
    madeTrace({ to: SENDER, sends: [{ to: FROM, body, sends: [{ to: TO, body: given(90n), ...more }] }] })

  test('is of the amount that was taken, with the comment from either arm', () => {
    const text = saying('thanks')
    const bodies = [
      asking().bit(true).ref(text).endCell(),
      asking().bit(false).uint(0, 32).bytes(Buffer.from('thanks')),
    ]
    for (const body of bodies) {
      const trace = transfer('endCell' in body ? body.endCell() : body)
      expect(onlyAction(trace, FACTS, 'jetton_transfer').content.details).toMatchObject({
        asset: accountNo(MINTER),
        sender: accountNo(SENDER),
        receiver: accountNo(RECEIVER),
        sender_jetton_wallet: accountNo(FROM),
        receiver_jetton_wallet: accountNo(TO),
        amount: 90n,
        comment: 'thanks',
        forward_amount: 2n,
      })
    }
  })

  test('to a wallet of another owner makes the trace a broken one', () => {
    const trace = transfer(asking(9).bit(false).endCell())
    expect(classify(trace, FACTS).state).toBe('broken')
    expect(onlyAction(trace, FACTS, 'jetton_transfer').content.details).toMatchObject({ receiver: accountNo(RECEIVER) })
    expect(classify(transfer(), FACTS).state).toBe('ok')
  })

  test('fails with the wallet that takes, and is none to a wallet that is not known', () => {
    expect(toldTypes(transfer(undefined, { aborted: true }), FACTS)).toEqual(['jetton_transfer failed'])
    expect(toldTypes(transfer(), NOTHING)).toEqual(['call_contract', 'call_contract'])
  })

  test('of proxied TON needs no other wallet', () => {
    const notified = { to: RECEIVER, body: storeAccount(query(0x7362d09c).coins(100n), SENDER).bit(false).endCell() }
    const body = asking().bit(false).endCell()
    const trace = madeTrace({ to: SENDER, sends: [{ to: FROM, body, sends: [notified] }] })
    const proxy = factsOf({ [FROM]: wallet(9, PTON) })
    expect(onlyAction(trace, proxy, 'jetton_transfer').content.details).toMatchObject({
      asset: PTON,
      sender: accountNo(SENDER),
      receiver: accountNo(RECEIVER),
      sender_jetton_wallet: null,
      receiver_jetton_wallet: null,
      amount: 100n,
    })
    expect(toldTypes(trace, FACTS)).toEqual(['call_contract', 'call_contract'])
  })
})

describe('jettons are minted', () => {
  const mint = (opcode: number, sends: readonly MadeMessage[], more: Partial<MadeMessage> = {}) => {
    const body = storeAccount(query(opcode), RECEIVER).coins(8n).ref(given()).endCell()
    return madeTrace({ to: SENDER, sends: [{ to: MINTER, body, sends, ...more }] })
  }
  const taken = { to: TO, body: given() }

  test('to a wallet that takes them', () => {
    for (const opcode of [0x642b7d07, 0x15]) {
      const { content, success } = onlyAction(mint(opcode, [taken]), FACTS, 'jetton_mint')
      expect(success).toBe(true)
      expect(content.details).toEqual({
        asset: accountNo(MINTER),
        receiver: accountNo(RECEIVER),
        receiver_jetton_wallet: accountNo(TO),
        amount: 100n,
        ton_amount: 8n,
      })
    }
  })

  test('or are not, where the wallet or the minter fails', () => {
    const failing = [mint(0x15, [{ ...taken, aborted: true }]), mint(0x15, []), mint(0x642b7d07, [], { aborted: true })]
    for (const trace of failing) {
      const { content, success } = onlyAction(trace, FACTS, 'jetton_mint')
      expect(success).toBe(false)
      expect(content.details).toMatchObject({ asset: accountNo(MINTER), receiver: accountNo(RECEIVER), ton_amount: 8n })
    }
  })

  test('and burned', () => {
    const body = storeAccount(query(0x595f07bc).coins(7n), SENDER).bit(false).endCell()
    const burn = (more: Partial<MadeMessage>) => madeTrace({ to: SENDER, sends: [{ to: FROM, body, ...more }] })
    const notified = { to: MINTER, body: query(0x7bdd97de).endCell() }
    expect(onlyAction(burn({ sends: [notified] }), FACTS, 'jetton_burn').content.details).toEqual({
      owner: accountNo(SENDER),
      owner_jetton_wallet: accountNo(FROM),
      asset: accountNo(MINTER),
      amount: 7n,
    })
    expect(toldTypes(burn({ aborted: true }), FACTS)).toEqual(['jetton_burn failed'])
    expect(toldTypes(burn({}), NOTHING)).toEqual(['call_contract'])
  })
})
