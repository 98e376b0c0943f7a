import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, saying, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const POOL = factsOf({ 2: { code_hash: Buffer.from('mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=', 'base64') } })
const nothing = factsOf({})
const toPool = (comment: string, value: bigint, sends: MadeMessage[] = []) =>
  madeTrace({ to: 1, sends: [{ to: 2, value, body: saying(comment), sends }] })

describe('a nominator pool', () => {
  test('takes deposits', () => {
    const { content } = onlyAction(toPool('d', 50n), POOL, 'stake_deposit')
    expect(content.details).toMatchObject({ provider: 'nominator', stake_holder: accountNo(1), amount: 50n })
    expect(toldTypes(toPool('d', 50n), nothing)).toEqual(['ton_transfer'])
  })

  test('pays at once, or takes the request', () => {
    expect(toldTypes(toPool('w', 5n, [{ to: 1, value: 4n }]), POOL)).toEqual(['stake_withdrawal_request'])
    expect(toldTypes(toPool('w', 5n), POOL)).toEqual(['stake_withdrawal_request'])
    const paid = toPool('w', 5n, [
      { to: 1, value: 900n },
      { to: 1, value: 4n },
    ])
    expect(onlyAction(paid, POOL, 'stake_withdrawal').content.details).toMatchObject({ amount: 900n })
  })

  test('pays those who asked before', () => {
    const sends = [
      { to: 3, value: 10n },
      { to: 4, value: 20n },
    ]
    const trace = madeTrace({ to: 1, sends: [{ to: 2, body: beginCell().uint(2, 32).uint(0, 64).endCell(), sends }] })
    expect(toldTypes(trace, POOL)).toEqual(['call_contract', 'stake_withdrawal', 'stake_withdrawal'])
  })
})

describe('the elector', () => {
  const elector = 0x33
  const masterchain = (trace: ReturnType<typeof madeTrace>) => {
    for (const { account, in_msg, out_msgs } of trace.transactions) {
      for (const address of [account, in_msg?.destination, in_msg?.source, ...out_msgs.map((one) => one.destination)])
        if (address) address.workchain = -1
    }
    return trace
  }
  const asking = (opcode: number, sends: MadeMessage[]) =>
    masterchain(madeTrace({ to: 1, sends: [{ to: elector, value: 99n, body: query(opcode).endCell(), sends }] }))

  test('confirms a stake', () => {
    const done = asking(0x4e73744b, [{ to: 1, value: 1n, body: query(0xf374484c).endCell() }])
    expect(onlyAction(done, nothing, 'election_deposit')).toMatchObject({
      success: true,
      content: { details: { amount: 99n } },
    })
    const refused = asking(0x4e73744b, [{ to: 1, value: 99n, body: query(0xee6f454c).endCell() }])
    expect(toldTypes(refused, nothing)).toEqual(['election_deposit failed', 'call_contract'])
  })

  test('gives a stake back', () => {
    const done = asking(0x47657424, [{ to: 1, value: 70n, body: query(0xf96f7324).endCell() }])
    expect(onlyAction(done, nothing, 'election_recover').content.details).toMatchObject({ amount: 70n })
    expect(toldTypes(asking(0x47657424, []), nothing)).toEqual(['election_recover failed'])
  })

  test('is one account only', () => {
    const other = madeTrace({ to: 1, sends: [{ to: 5, body: query(0x4e73744b).endCell() }] })
    expect(toldTypes(other, nothing)).toEqual(['call_contract'])
  })
})

describe('a subscription', () => {
  test('is paid', () => {
    const request = query(0x706c7567).coins(40n).bit(false).endCell()
    const payment = { to: 4, value: 39n, body: beginCell().uint(0x73756273, 32).endCell() }
    const confirmed = { to: 3, value: 41n, body: query(0xf06c7567).endCell(), sends: [payment] }
    const trace = madeTrace({ to: 3, sends: [{ to: 2, body: request, sends: [confirmed] }] })
    expect(onlyAction(trace, nothing, 'subscribe').content.details).toEqual({
      subscriber: accountNo(2),
      beneficiary: accountNo(4),
      subscription: accountNo(3),
      amount: 40n,
    })
  })

  test('ends', () => {
    const destruct = beginCell().uint(0x64737472, 32).endCell()
    const rest = { to: 4, value: 12n, body: destruct }
    const trace = madeTrace({ to: 1, sends: [{ to: 3, body: destruct, sends: [rest] }] })
    expect(onlyAction(trace, nothing, 'unsubscribe').content.details).toEqual({
      subscriber: accountNo(1),
      beneficiary: accountNo(4),
      subscription: accountNo(3),
      amount: 12n,
    })
  })

  test('does not end by an event with the same opcode', () => {
    const trace = madeTrace({
      to: 1,
      sends: [{ to: null, body: beginCell().uint(0x64737472, 32).endCell() }, { to: 3 }],
    })
    expect(toldTypes(trace, nothing)).toEqual(['ton_transfer'])
  })
})
