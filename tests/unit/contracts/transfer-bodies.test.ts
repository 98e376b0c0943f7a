import { describe, expect, test } from 'bun:test'
import { readJettonBurn, readJettonTransfer, readNftTransfer } from '../../../src/contracts/transfer-bodies.ts'
import { type Builder, beginCell } from '../../../src/ton/builder.ts'
import { storeMsgAddressInt } from '../../../src/ton/tlb/msg-address.ts'

const std = (n: number) => ({ _: 'addr_std', anycast: null, workchain_id: 0, address: Buffer.alloc(32, n) }) as const
const store = (builder: Builder, n: number): Builder => storeMsgAddressInt(builder, std(n))
const CUSTOM = beginCell().uint(1, 8).endCell()
const PAYLOAD = beginCell().uint(0, 32).bytes(Buffer.from('hello')).endCell()
const QUERY = 2n ** 64n - 1n

const jettonHead = (): Builder => {
  const builder = beginCell()
    .uint(0x0f8a7ea5, 32)
    .uint(QUERY, 64)
    .varUint(2n ** 120n - 1n, 16)
  return store(store(builder, 1), 2).maybeRef(CUSTOM).coins(7n)
}

const JETTON = {
  query_id: QUERY,
  amount: 2n ** 120n - 1n,
  destination: std(1),
  response_destination: std(2),
  custom_payload: CUSTOM,
  forward_ton_amount: 7n,
}

const withHashes = (body: ReturnType<typeof readJettonTransfer>) =>
  body && {
    ...body,
    custom_payload: body.custom_payload?.hash() ?? null,
    forward_payload: body.forward_payload?.hash() ?? null,
  }

describe('a jetton transfer', () => {
  const withPayload = (forward_payload: Buffer | null) => ({
    ...JETTON,
    custom_payload: CUSTOM.hash(),
    forward_payload,
  })

  test('has its payload in a reference or in line', () => {
    const inRef = jettonHead().bit(true).ref(PAYLOAD).endCell()
    expect(withHashes(readJettonTransfer(inRef))).toEqual(withPayload(PAYLOAD.hash()))
    const inLine = jettonHead().bit(false).uint(0, 32).bytes(Buffer.from('hello')).endCell()
    expect(withHashes(readJettonTransfer(inLine))).toEqual(withPayload(PAYLOAD.hash()))
  })

  test('keeps the references of a payload in line', () => {
    const payload = beginCell().uint(5, 3).ref(PAYLOAD).endCell()
    const body = jettonHead().bit(false).uint(5, 3).ref(PAYLOAD).endCell()
    expect(readJettonTransfer(body)?.forward_payload?.hash()).toEqual(payload.hash())
  })

  test('may have no payload', () => {
    for (const body of [jettonHead(), jettonHead().bit(true)])
      expect(withHashes(readJettonTransfer(body.endCell()))).toEqual(withPayload(null))
    const empty = readJettonTransfer(jettonHead().bit(false).endCell())
    expect(withHashes(empty)).toEqual({ ...withPayload(null), empty_payload: true })
  })

  test('keeps addresses that are none', () => {
    const body = beginCell().uint(0x0f8a7ea5, 32).uint(0, 64).coins(1n).uint(0, 2)
    body.uint(1, 2).uint(8, 9).uint(0xab, 8).bit(false).coins(0n).bit(false)
    expect(readJettonTransfer(body.endCell())).toMatchObject({
      destination: { _: 'addr_none' },
      response_destination: { _: 'addr_extern', len: 8 },
      custom_payload: null,
    })
  })

  test('is none that is cut off or has another tag', () => {
    expect(readJettonTransfer(beginCell().endCell())).toBeUndefined()
    expect(readJettonTransfer(beginCell().uint(0x0f8a7ea5, 32).uint(0, 64).endCell())).toBeUndefined()
    expect(readJettonTransfer(beginCell().uint(0x0f8a7ea6, 32).endCell())).toBeUndefined()
    expect(readJettonTransfer(beginCell().uint(2, 8).bytes(Buffer.alloc(32)).endCell(true))).toBeUndefined()
  })
})

describe('a jetton burn', () => {
  const head = () => store(beginCell().uint(0x595f07bc, 32).uint(3, 64).coins(9n), 4)
  const burn = { query_id: 3n, amount: 9n, response_destination: std(4) }

  test('may leave its custom payload out', () => {
    expect(readJettonBurn(head().endCell())).toEqual({ ...burn, custom_payload: null })
    expect(readJettonBurn(head().bit(false).endCell())).toEqual({ ...burn, custom_payload: null })
    expect(readJettonBurn(head().bit(true).ref(CUSTOM).endCell())?.custom_payload?.hash()).toEqual(CUSTOM.hash())
    expect(readJettonBurn(head().bit(true).endCell())).toBeUndefined()
  })
})

describe('an NFT transfer', () => {
  test('has its payload in a reference or in line', () => {
    const head = () =>
      store(store(beginCell().uint(0x5fcc3d14, 32).uint(1, 64), 5), 6)
        .bit(false)
        .coins(10n)
    const fields = {
      query_id: 1n,
      new_owner: std(5),
      response_destination: std(6),
      custom_payload: null,
      forward_amount: 10n,
    }
    expect(readNftTransfer(head().bit(false).endCell())).toEqual({
      ...fields,
      forward_payload: null,
      empty_payload: true,
    })
    expect(readNftTransfer(head().bit(true).ref(PAYLOAD).endCell())?.forward_payload?.hash()).toEqual(PAYLOAD.hash())
  })
})
