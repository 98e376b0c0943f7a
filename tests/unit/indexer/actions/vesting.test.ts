import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const nothing = factsOf({})

describe('a vesting wallet', () => {
  const [OWNER, VESTING, PAID] = [1, 2, 3] as const
  const message = storeAccount(beginCell().uint(0b0110, 4).uint(0, 2), PAID)
    .coins(7n)
    .bit(false)
    .coins(0n)
    .coins(0n)
    .uint(0, 64)
    .uint(0, 32)
    .bit(false)
    .bit(false)
    .endCell()
  const asked = (sends: readonly MadeMessage[]) =>
    madeTrace({
      to: OWNER,
      sends: [{ to: VESTING, body: query(0xa7733acd).uint(3, 8).ref(message).endCell(), sends }],
    })
  const replied = { to: OWNER, body: query(0xf7733acd).endCell() }

  test('sends what it is asked for, and says so', () => {
    const { content, columns } = onlyAction(asked([{ to: PAID, value: 7n }, replied]), nothing, 'vesting_send_message')
    expect(content.details).toEqual({
      query_id: 7n,
      message_boc: message,
      source: accountNo(OWNER),
      vesting: accountNo(VESTING),
      destination: accountNo(PAID),
      amount: 7n,
    })
    expect(columns.destination_secondary).toEqual(accountNo(PAID))
    expect(toldTypes(asked([{ to: PAID, value: 7n }]), nothing)).not.toContain('vesting_send_message')
  })

  test('notes accounts that it may send to, a list behind references', () => {
    const last = storeAccount(beginCell(), 9).endCell()
    const body = storeAccount(query(0x7258a69b), 8).ref(last).endCell()
    const added = (sends: readonly MadeMessage[]) => madeTrace({ to: OWNER, sends: [{ to: VESTING, body, sends }] })
    const done = { to: OWNER, body: query(0xf258a69b).endCell() }
    expect(onlyAction(added([done]), nothing, 'vesting_add_whitelist').content.details).toMatchObject({
      accounts_added: [accountNo(8), accountNo(9)],
      source: accountNo(OWNER),
      vesting: accountNo(VESTING),
    })
    expect(toldTypes(added([]), nothing)).toEqual(['call_contract'])
  })
})
