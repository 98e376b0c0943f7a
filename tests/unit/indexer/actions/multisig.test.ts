import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, saying, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, madeTrace } from '../../../support/made-trace.ts'

const ORDER = factsOf({
  3: { multisig_order: { multisig_address: accountNo(2), order_seqno: 5n, signers: [accountNo(1), accountNo(7)] } },
})
const actions = beginCell().uint(1, 8).endCell()

describe('an order of a multisig', () => {
  const asked = query(0xf718510f).uint(5n, 256).bit(true).uint(1, 8).uint(1_900_000_000, 48).ref(actions).endCell()
  const init = query(0x9c73fba2)
    .uint(2, 8)
    .ref(actions)
    .uint(1_900_000_000, 48)
    .ref(actions)
    .bit(true)
    .uint(1, 8)
    .endCell()
  const trace = madeTrace({ to: 1, sends: [{ to: 2, body: asked, sends: [{ to: 3, body: init, deploys: true }] }] })

  test('is created', () => {
    const { content, accounts } = onlyAction(trace, ORDER, 'multisig_create_order')
    expect(content.details).toEqual({
      query_id: 7n,
      order_seqno: 5n,
      is_created_by_signer: true,
      is_signed_by_creator: true,
      creator_index: 1,
      expiration_date: 1_900_000_000,
      order_boc: actions,
      source: accountNo(1),
      destination: accountNo(2),
      destination_order: accountNo(3),
    })
    expect(accounts).toContainEqual(accountNo(7))
  })

  test('is told by the number that it got, where none was asked for', () => {
    const next = query(0xf718510f)
      .uint(2n ** 256n - 1n, 256)
      .bit(true)
      .uint(1, 8)
      .uint(1_900_000_000, 48)
      .ref(actions)
      .endCell()
    const sends = [{ to: 2, body: next, sends: [{ to: 3, body: init, deploys: true }] }]
    const { content } = onlyAction(madeTrace({ to: 1, sends }), ORDER, 'multisig_create_order')
    expect(content.details).toMatchObject({ order_seqno: 5n })
  })

  test('that is not known is no more than calls', () => {
    expect(toldTypes(trace, factsOf({})).sort()).toEqual(['call_contract', 'call_contract', 'contract_deploy'])
  })

  test('is shown with its calls to who does not know orders', () => {
    expect(toldTypes(trace, ORDER).sort()).toEqual([
      'call_contract',
      'call_contract',
      'contract_deploy',
      'multisig_create_order',
    ])
  })

  test('is approved by opcode or in words, and may refuse that', () => {
    const approving = (body: ReturnType<typeof saying>, answer: ReturnType<typeof saying>) =>
      onlyAction(
        madeTrace({ to: 1, sends: [{ to: 3, body, sends: [{ to: 1, body: answer }] }] }),
        ORDER,
        'multisig_approve',
      )
    const accepted = query(0x82609bf6).endCell()
    const byOpcode = approving(query(0xa762230f).uint(4, 8).endCell(), accepted)
    expect(byOpcode).toMatchObject({ success: true, content: { details: { signer_index: 4, exit_code: 0 } } })
    expect(approving(saying('approve'), accepted).content.details).toMatchObject({ signer_index: -1 })
    const refused = approving(query(0xa762230f).uint(4, 8).endCell(), query(0xafaf283e).uint(107, 32).endCell())
    expect(refused).toMatchObject({ success: false, content: { details: { exit_code: 107 } } })
  })

  test('is carried out', () => {
    const body = query(0x75097f5d)
      .uint(5n, 256)
      .uint(1_900_000_000, 48)
      .uint(2, 8)
      .bytes(Buffer.alloc(32, 9))
      .ref(actions)
      .endCell()
    const trace = madeTrace({ to: 3, sends: [{ to: 2, body }] })
    expect(onlyAction(trace, ORDER, 'multisig_execute').content.details).toMatchObject({
      order_seqno: 5n,
      approvals_num: 2,
      signers_hash: Buffer.alloc(32, 9).toString('base64'),
      source: accountNo(3),
      destination: accountNo(2),
    })
  })
})
