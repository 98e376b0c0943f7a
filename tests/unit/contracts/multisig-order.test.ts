import { describe, expect, test } from 'bun:test'
import { Address, beginCell, type Cell, Dictionary, internal, storeMessageRelaxed } from '@ton/core'
import { type OrderAction, readOrderActions } from '../../../src/contracts/multisig-order.ts'
import { fromTonCore } from '../../support/ton-core.ts'

/** Orders as the wrappers of multisig v2 write them, built with @ton/core. */

const TO = new Address(0, Buffer.alloc(32, 7))
const OTHER = new Address(-1, Buffer.alloc(32, 9))
const ours = (address: Address) => ({ workchain: address.workChain, hash: address.hash })

const send = (body: Cell, mode = 1): Cell =>
  beginCell()
    .storeUint(0xf1381e5b, 32)
    .storeUint(mode, 8)
    .storeRef(beginCell().store(storeMessageRelaxed(internal({ to: TO, value: 5n, body }))))
    .endCell()

const order = (...actions: Cell[]): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell())
  for (const [i, action] of actions.entries()) dict.set(i, action)
  return beginCell().storeDictDirect(dict).endCell()
}

const read = (...actions: Cell[]): OrderAction[] => readOrderActions(fromTonCore(order(...actions)))

const parsed = (body: Cell) => {
  const [action] = read(send(body))
  if (action?._ !== 'send_message') throw new Error('no message')
  return [action.parsed.type, action.parsed.fields]
}

const op = (opcode: number) => beginCell().storeUint(opcode, 32)
const query = (opcode: number) => op(opcode).storeUint(2n ** 64n - 1n, 64)
const QUERY = { query_id: 2n ** 64n - 1n }

describe('an order tells', () => {
  test('its messages, in the order of their keys', () => {
    const bodies = Array.from({ length: 255 }, (_, i) => beginCell().storeUint(i, 8).endCell())
    const actions = read(...bodies.map((body, i) => send(body, i)))
    expect(actions).toHaveLength(255)
    for (const [i, action] of actions.entries()) {
      expect(action).toMatchObject({ _: 'send_message', mode: i, destination: ours(TO), value: 5n })
      if (action._ === 'send_message') expect(action.body.hash()).toEqual(Buffer.from(bodies[i]!.hash()))
    }
  })

  test('new parameters', () => {
    const members = (...list: Address[]) => {
      const dict = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address())
      for (const [i, member] of list.entries()) dict.set(i, member)
      return dict
    }
    const update = (signers: Address[], proposers: Address[]): Cell =>
      op(0x1d0cfbd3)
        .storeUint(2, 8)
        .storeRef(beginCell().storeDictDirect(members(...signers)))
        .storeDict(members(...proposers))
        .endCell()
    expect(read(update([TO, OTHER], [OTHER]), update([TO], []))).toEqual([
      {
        _: 'update_multisig_params',
        parsed: {
          type: 'multisig_update_params',
          fields: { new_threshold: 2, new_signers: [ours(TO), ours(OTHER)], new_proposers: [ours(OTHER)] },
        },
      },
      {
        _: 'update_multisig_params',
        parsed: {
          type: 'multisig_update_params',
          fields: { new_threshold: 2, new_signers: [ours(TO)], new_proposers: [] },
        },
      },
    ])
  })

  test('what it can of a broken action, and the others', () => {
    expect(read(op(5).endCell(), beginCell().endCell(), send(beginCell().endCell()))).toMatchObject([
      { _: 'unknown', error: 'failed to parse order action: unknown order action type: 5' },
      { _: 'unknown', error: 'failed to parse order action: cell underflow' },
      { _: 'send_message' },
    ])
    expect(() => readOrderActions(fromTonCore(beginCell().endCell()))).toThrow()
  })

  test('no more of bodies than a few thousand cells', () => {
    let many: Cell[] = Array.from({ length: 1024 }, (_, i) => beginCell().storeUint(i, 32).endCell())
    for (let i = 0; many.length > 1; i++) {
      const above: Cell[] = []
      for (let at = 0; at < many.length; at += 2)
        above.push(
          beginCell()
            .storeUint(i, 32)
            .storeRef(many[at]!)
            .storeRef(many[at + 1]!)
            .endCell(),
        )
      many = above
    }
    const actions = read(...Array.from({ length: 20 }, () => send(many[0]!)))
    expect(actions.map(({ _ }) => _)).toEqual([
      ...Array.from({ length: 8 }, () => 'send_message' as const),
      ...Array.from({ length: 12 }, () => 'unknown' as const),
    ])
    expect(actions.at(-1)).toMatchObject({ error: expect.stringContaining('too large') })
  })
})

describe('a message asks for', () => {
  test('a transfer of TON, with a comment or none', () => {
    const comment = op(0).storeStringTail('hé').endCell()
    expect(parsed(comment)).toEqual(['ton_transfer', { comment: 'hé', encrypted: false }])
    expect(parsed(beginCell().endCell())).toEqual(['ton_transfer', { comment: '', encrypted: false }])
    expect(parsed(beginCell().storeUint(1, 31).endCell())).toEqual(['ton_transfer', { comment: '', encrypted: false }])
    expect(
      parsed(
        op(0x2167da4b)
          .storeBuffer(Buffer.of(1, 2, 255))
          .endCell(),
      ),
    ).toEqual(['ton_transfer', { comment: 'AQL/', encrypted: true }])
  })

  const jettons = (payload: Cell | null, inline = false): Cell => {
    const builder = query(0x0f8a7ea5)
      .storeCoins(77)
      .storeAddress(TO)
      .storeAddress(null)
      .storeMaybeRef(beginCell().endCell())
      .storeCoins(3)
    if (!payload) return builder.storeBit(0).endCell()
    return inline
      ? builder.storeBit(0).storeSlice(payload.asSlice()).endCell()
      : builder.storeBit(1).storeRef(payload).endCell()
  }

  test('a transfer of jettons', () => {
    expect(parsed(jettons(op(0).storeStringTail('thanks').endCell(), true))).toMatchObject([
      'jetton_transfer',
      {
        ...QUERY,
        amount: 77n,
        destination: ours(TO),
        response: null,
        forward_amount: 3n,
        comment: 'thanks',
        encrypted_comment: false,
        payload_sum_type: '0x0',
        stonfi_swap_body: null,
      },
    ])
    expect(Object.keys(parsed(jettons(null))[1]!)).toEqual([
      'query_id',
      'amount',
      'destination',
      'response',
      'custom_payload',
      'forward_amount',
      'comment',
      'encrypted_comment',
      'forward_payload',
      'payload_sum_type',
      'stonfi_swap_body',
    ])
    expect(parsed(jettons(null))[1]).toMatchObject({ forward_payload: null, payload_sum_type: '' })
    expect(parsed(jettons(op(0x2167da4b).storeUint(255, 8).endCell()))[1]).toMatchObject({
      comment: '/w==',
      encrypted_comment: true,
    })
    const swap = op(0x25938561).storeAddress(OTHER).storeCoins(1_500_000_000n).storeAddress(TO).endCell()
    expect(parsed(jettons(swap))[1]).toMatchObject({
      payload_sum_type: '0x25938561',
      stonfi_swap_body: { jetton_wallet: ours(OTHER), min_amount: '1.5', user_address: ours(TO) },
    })
  })

  test('each of the other things', () => {
    const master = op(0x178d4519).storeUint(4, 64).storeCoins(900).endCell()
    const inner = internal({ to: OTHER, value: 8n, body: 'inside' })
    const cases: [Cell, string, Record<string, unknown>][] = [
      [
        query(0x595f07bc).storeCoins(6).storeAddress(TO).endCell(),
        'jetton_burn',
        { ...QUERY, amount: 6n, response_destination: ours(TO) },
      ],
      ...[0x15, 0x642b7d07].map((opcode): [Cell, string, Record<string, unknown>] => [
        query(opcode).storeAddress(TO).storeCoins(2).storeRef(master).endCell(),
        'jetton_mint',
        {
          opcode,
          ...QUERY,
          to_address: ours(TO),
          ton_amount: 2n,
          master_msg_query_id: 4n,
          master_msg_jetton_amount: 900n,
        },
      ]),
      [query(0x9fd3).endCell(), 'jetton_top_up', QUERY],
      [query(0x6501f354).storeAddress(TO).endCell(), 'jetton_change_admin', { ...QUERY, new_admin_address: ours(TO) }],
      [query(0xfb88e119).endCell(), 'jetton_claim_admin', QUERY],
      [
        query(0xcb862902).storeStringTail('https://x').endCell(),
        'jetton_change_content',
        { ...QUERY, new_metadata_url: 'https://x' },
      ],
      [query(0xeed236d3).storeUint(3, 4).endCell(), 'jetton_set_status', { ...QUERY, new_status: 3 }],
      [query(0x1000).storeCoins(11).endCell(), 'single_nominator_withdraw', { ...QUERY, coins: 11n }],
      [
        query(0x1001).storeAddress(OTHER).endCell(),
        'single_nominator_change_validator',
        { ...QUERY, validator_address: ours(OTHER) },
      ],
      [
        query(0x235caf52).storeAddress(TO).storeCoins(1).storeRef(query(0xeed236d3).storeUint(1, 4)).endCell(),
        'jetton_call_to',
        { ...QUERY, to_address: ours(TO), ton_amount: 1n, action_type: 'JettonSetStatus' },
      ],
      [
        query(0x5fcc3d14).storeAddress(TO).storeAddress(null).storeBit(0).storeCoins(1).storeBit(0).endCell(),
        'nft_transfer',
        { ...QUERY, new_owner: ours(TO), response_destination: null, forward_amount: 1n, forward_payload: null },
      ],
      [
        query(0x75097f5d)
          .storeUint(3, 8)
          .storeRef(beginCell().store(storeMessageRelaxed(inner)))
          .endCell(),
        'vesting_internal_transfer',
        { ...QUERY, send_mode: 3, destination: ours(OTHER), value: 8n, comment: 'inside' },
      ],
      [op(0xabcdef01).endCell(), 'unknown', { opcode: 0xabcdef01 }],
      [op(0x0f8a7ea5).endCell(), 'unknown', { opcode: 0x0f8a7ea5 }],
    ]
    for (const [body, type, fields] of cases) expect(parsed(body)).toMatchObject([type, fields])
  })
})
