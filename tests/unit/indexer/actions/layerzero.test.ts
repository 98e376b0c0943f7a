import { describe, expect, test } from 'bun:test'
import { goJson } from '../../../../src/api/v3/go-json.ts'
import { actionDetails } from '../../../../src/api/v3/serialize/action-details.ts'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const NOTHING = factsOf({})
const [USER, OAPP, ENDPOINT, CHANNEL, CONNECTION, ULN, DVN, JETTON, USER_WALLET, OAPP_WALLET] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const
const EMPTY = beginCell().endCell()
const MAX_64 = 2n ** 64n - 1n
const MAX_128 = 2n ** 128n - 1n

/** An object's name and fields as 350 bits. */
const object = (name: string, fields: string): Builder => {
  const digits = Buffer.from(name).toString('hex').padStart(20, '0') + fields
  const left = 350 - digits.length * 4
  return beginCell()
    .uint(BigInt(`0x${digits}`), digits.length * 4)
    .uint((1n << BigInt(left)) - 1n, left)
}

const path = (dst_oapp: bigint): Cell =>
  object('path', '515ee05fb527ee0a7b')
    .uint(30_101, 32)
    .uint(0xabcn, 256)
    .uint(0xffff_ffffn, 32)
    .uint(dst_oapp, 256)
    .endCell()

const packet = (dst_oapp = 0x2222n): Cell =>
  object('Packet', '93ff24ffd615ee067b')
    .ref(path(dst_oapp))
    .ref(beginCell().uint(0x00ff, 16).uint(5, 3).endCell())
    .uint(MAX_64, 64)
    .uint(0x99n, 256)
    .endCell()

const lzSend = object('lzSend', '615ee067b829ee200393ff1e4037980e4ffd9bff26ffd')
  .uint(MAX_64, 64)
  .uint(0xaan, 256)
  .uint(0xbbn, 256)
  .ref(packet())
  .ref(EMPTY)
  .ref(beginCell().uint(1n, 256).uint(MAX_128, 128).uint(12n, 128).endCell())
  .endCell()

/** What contracts tell each other: an object behind a reference. */
const telling = (opcode: number, told: Cell = EMPTY): Cell =>
  storeAccount(query(opcode).coins(0n), USER).ref(told).endCell()

const holding = (...cells: readonly Cell[]): Cell => cells.reduce((b, cell) => b.ref(cell), beginCell()).endCell()

const said = (to: number, opcode: number, sends: readonly MadeMessage[] = [], told?: Cell): MadeMessage => ({
  to,
  body: telling(opcode, told),
  sends,
})

const event: MadeMessage = said(99, 0xe33b9873)
const rest: MadeMessage = { to: USER }

const answered = (told: Cell): MadeMessage => said(OAPP, 0xa2b5fbae, [event, rest], holding(holding(told)))

/** The way of a packet from its application to those who are paid for it. */
const sending = (told: Cell, paid: number): MadeMessage =>
  said(ENDPOINT, 0xdd4ea3b4, [
    said(CHANNEL, 0x536feb09, [
      said(CONNECTION, 0x4002b790, [
        said(ULN, 0x5de68393, [
          said(CHANNEL, 0x421c1a25, [...Array.from({ length: paid }, () => rest), event, answered(told)]),
        ]),
      ]),
    ]),
  ])

describe('a LayerZero packet', () => {
  const sent = madeTrace({ to: USER, sends: [{ to: OAPP, body: query(1).endCell(), sends: [sending(lzSend, 5)] }] })

  test('is sent', () => {
    const { content, columns, success } = onlyAction(sent, NOTHING, 'layerzero_send')
    expect(success).toBe(true)
    expect(columns.source).toEqual(accountNo(OAPP))
    expect(content.details).toEqual({
      initiator: accountNo(OAPP),
      layerzero_send_data: {
        send_request_id: MAX_64,
        msglib_manager: '0xaa',
        msglib: '0xbb',
        uln: accountNo(ULN),
        native_fee: MAX_128,
        zro_fee: 12n,
        endpoint: accountNo(ENDPOINT),
        channel: accountNo(CHANNEL),
      },
      layerzero_packet_data: {
        src_oapp: '0xabc',
        dst_oapp: '0x2222',
        src_eid: 30_101,
        dst_eid: 0xffff_ffff,
        nonce: MAX_64,
        guid: '0x99',
        message: '0x00ffa0',
      },
    })
  })

  test('has exact numbers and its accounts on the wire', () => {
    const { wire, addresses } = actionDetails(onlyAction(sent, NOTHING, 'layerzero_send').content)
    const text = goJson(wire)
    for (const part of [`"send_request_id":${MAX_64},`, `"native_fee":${MAX_128},"zro_fee":12,`, `"nonce":${MAX_64},`])
      expect(text).toContain(part)
    expect(addresses).toHaveLength(4)
  })

  test('is shown as its messages to who does not know it', () => {
    const types = toldTypes(sent, NOTHING)
    expect(types.filter((type) => type === 'ton_transfer')).toHaveLength(6)
    expect(types).toContain('layerzero_send')
  })

  test('pays five at most', () => {
    const trace = madeTrace({ to: OAPP, sends: [sending(lzSend, 6)] })
    expect(onlyAction(trace, NOTHING, 'layerzero_send').transactions).toHaveLength(15)
  })

  test('is nothing but calls where the answer says another thing', () => {
    const trace = madeTrace({ to: OAPP, sends: [sending(packet(), 3)] })
    expect(toldTypes(trace, NOTHING)).not.toContain('layerzero_send')
  })

  const tokens = factsOf({
    [USER_WALLET]: { jetton_wallet: { owner: accountNo(USER), jetton: accountNo(JETTON) } },
    [OAPP_WALLET]: { jetton_wallet: { owner: accountNo(OAPP), jetton: accountNo(JETTON) } },
  })
  const withTokens = (sends: readonly MadeMessage[]) =>
    madeTrace({
      to: USER,
      sends: [
        {
          to: USER_WALLET,
          body: storeAccount(storeAccount(query(0x0f8a7ea5).coins(700n), OAPP), USER)
            .bit(false)
            .coins(1n)
            .bit(false)
            .endCell(),
          sends: [
            {
              to: OAPP_WALLET,
              body: storeAccount(storeAccount(query(0x178d4519).coins(700n), USER), USER)
                .coins(1n)
                .bit(false)
                .endCell(),
              sends: [
                { to: OAPP, body: storeAccount(query(0x7362d09c).coins(700n), USER).bit(false).endCell(), sends },
              ],
            },
          ],
        },
      ],
    })

  test('is sent for jettons', () => {
    const trace = withTokens([event, sending(lzSend, 3)])
    const { content, columns } = onlyAction(trace, tokens, 'layerzero_send_tokens')
    expect(content.details).toMatchObject({
      sender: accountNo(USER),
      sender_wallet: accountNo(USER_WALLET),
      oapp: accountNo(OAPP),
      oapp_wallet: accountNo(OAPP_WALLET),
      asset: accountNo(JETTON),
      amount: 700n,
      layerzero_send_data: { send_request_id: MAX_64 },
      layerzero_packet_data: { guid: '0x99' },
    })
    expect(columns).toMatchObject({ source: accountNo(USER), destination: accountNo(OAPP), amount: 700n })
    expect(onlyAction(trace, tokens, 'layerzero_send').ancestor_type).toEqual(['layerzero_send_tokens'])
    expect(onlyAction(trace, tokens, 'jetton_transfer').ancestor_type).toEqual(['layerzero_send_tokens'])
  })

  test('is not sent for jettons of which the application says nothing', () => {
    const types = toldTypes(withTokens([sending(lzSend, 3)]), tokens)
    expect(types).not.toContain('layerzero_send_tokens')
    expect(types).toContain('layerzero_send')
  })

  const receiving = (to: number, carried: Cell): MadeMessage =>
    said(CHANNEL, 0x22f3ac09, [
      said(to, 0x97df404c, [
        said(CHANNEL, 0xb7680bc6, [
          said(to, 0x0c7b8418, [event, said(CHANNEL, 0xcaae25a1, [event, rest])], holding(carried, EMPTY)),
        ]),
      ]),
      rest,
    ])
  const numberOf = (n: number): bigint => BigInt(`0x${accountNo(n).hash.toString('hex')}`)

  test('is received by whom it is for, whatever its address begins with', () => {
    const trace = madeTrace({ to: USER, sends: [receiving(OAPP, packet(numberOf(OAPP)))] })
    const { content, columns, transactions } = onlyAction(trace, NOTHING, 'layerzero_receive')
    expect(content.details).toMatchObject({
      sender: accountNo(USER),
      oapp: accountNo(OAPP),
      channel: accountNo(CHANNEL),
      layerzero_packet_data: { dst_oapp: `0x${numberOf(OAPP).toString(16)}` },
    })
    expect(columns.destination_secondary).toEqual(accountNo(CHANNEL))
    expect(transactions).toHaveLength(10)
  })

  test('is not received by another one', () => {
    const trace = madeTrace({ to: USER, sends: [receiving(OAPP, packet(numberOf(JETTON)))] })
    expect(toldTypes(trace, NOTHING)).not.toContain('layerzero_receive')
  })

  const committing = (answers: readonly MadeMessage[], carried: Cell) =>
    madeTrace({
      to: USER,
      sends: [
        said(ULN, 0x28b97077, [
          said(CONNECTION, 0xf9d37b80, [
            said(ENDPOINT, 0x5dab749a, [said(CHANNEL, 0x5388cd88, answers, holding(carried, EMPTY))]),
          ]),
        ]),
      ],
    })

  test('is committed', () => {
    const trace = committing([event, said(CONNECTION, 0x5e178f33, [rest])], packet())
    const { content, columns } = onlyAction(trace, NOTHING, 'layerzero_commit_packet')
    expect(content.details).toMatchObject({
      sender: accountNo(USER),
      endpoint: accountNo(ENDPOINT),
      uln: accountNo(CONNECTION),
      uln_connection: accountNo(CONNECTION),
      channel: accountNo(CHANNEL),
      msglib_connection: accountNo(CONNECTION),
      layerzero_packet_data: { nonce: MAX_64 },
    })
    expect(columns).toMatchObject({ asset: accountNo(CHANNEL), asset_secondary: accountNo(CONNECTION) })
  })

  test('is not committed where the channel does not answer, or nothing is a packet', () => {
    expect(toldTypes(committing([event], packet()), NOTHING)).not.toContain('layerzero_commit_packet')
    const other = committing([said(CONNECTION, 0x5e178f33)], lzSend)
    expect(toldTypes(other, NOTHING)).not.toContain('layerzero_commit_packet')
  })

  const verifying = (answer: Cell) =>
    madeTrace({
      to: USER,
      sends: [
        said(DVN, 0xa0d51a8d, [
          said(20, 0x09f047d9, [
            said(ULN, 0x994aaf4e, [
              said(CONNECTION, 0x4ec8f80a, [event, said(ULN, 0x3cb38090, [rest], holding(answer, EMPTY))]),
            ]),
          ]),
        ]),
      ],
    })
  const status = (code: number): Cell => object('veristatus', '615ed467b').uint(MAX_64, 64).uint(code, 32).endCell()

  test.each([
    [0x3bbc306b, 'succeeded'],
    [0x7fcbb4ac, 'nonce_out_of_range'],
    [0x29c53fab, 'dvn_not_configured'],
    [4_294_967_295, 'unknown_4294967295'],
  ])('is verified with code %d: %s', (code, name) => {
    const { content, success } = onlyAction(verifying(status(code)), NOTHING, 'layerzero_dvn_verify')
    expect(success).toBe(true)
    expect(content.details).toEqual({
      initiator: accountNo(USER),
      nonce: MAX_64,
      status: name,
      dvn: accountNo(DVN),
      proxy: accountNo(20),
      uln: accountNo(ULN),
      uln_connection: accountNo(CONNECTION),
    })
    expect(goJson(actionDetails(content).wire)).toContain(`"nonce":${MAX_64},`)
  })

  test('is not verified where the answer is cut off', () => {
    const cut = object('veristatus', '615ed467b').uint(1, 64).endCell()
    expect(toldTypes(verifying(cut), NOTHING)).not.toContain('layerzero_dvn_verify')
  })
})
