import { expect, test } from 'bun:test'
import { Cell as TonCoreCell } from '@ton/core'
import { decodeBody } from '../../src/contracts/body.ts'
import { bodyJson } from '../../src/contracts/body-json.ts'
import { opcodeName } from '../../src/contracts/opcodes.ts'
import type { Fields, Value } from '../../src/contracts/tlb/values.ts'
import { opcodeOf } from '../../src/model/batch-message.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { type Message, parseMessage } from '../../src/ton/tlb/message.ts'
import { outMsgs, parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { recordedChain } from '../support/recorded-chain.ts'

/** What a transaction took and what it sent. */
interface Exchange {
  taken: Message
  sent: Message[]
}

const exchanges: Exchange[] = [MASTERCHAIN, 0].flatMap((workchain) =>
  [...recordedChain().shards(workchain).values()].flat().flatMap(({ root }) =>
    [...blockTransactions(parseBlockExtra(parseBlock(root).extra).account_blocks)].flatMap(({ cell }) => {
      const transaction = parseTransaction(cell)
      const sent = Array.from(outMsgs(transaction), parseMessage)
      return transaction.in_msg ? [{ taken: parseMessage(transaction.in_msg), sent }] : []
    }),
  ),
)
const internal = exchanges.filter(({ taken }) => taken.info._ === 'int_msg_info')
const hex = (opcode: number): string => opcode.toString(16).padStart(8, '0')

/** Bodies of contracts of the recording that have opcodes of other contracts. */
const OTHERS = new Set(['00000001', '00000002', '00000003'])

test('every body under an opcode of the table is told, but for those of other contracts', () => {
  const told = new Map<string, number>()
  for (const { taken } of internal) {
    const opcode = opcodeOf(taken.body)
    const name = opcode === null ? undefined : opcodeName(opcode)
    if (opcode === null || name === undefined || OTHERS.has(hex(opcode))) continue
    const body = bodyJson(taken.body)
    expect([hex(opcode), name, body === null]).toEqual([hex(opcode), name, false])
    if (body!['@type'] !== 'delete_dns_record') expect(body!['@type']).toBe(name)
    told.set(name, (told.get(name) ?? 0) + 1)
  }
  expect(told.size).toBeGreaterThan(45)
})

test('a body that is told under the table has an opcode of it; others are unknown', () => {
  for (const { taken } of internal) {
    const opcode = opcodeOf(taken.body)
    if (opcode !== null && opcodeName(opcode) === undefined)
      expect([hex(opcode), bodyJson(taken.body)]).toEqual([hex(opcode), null])
  }
})

test('comments are the texts that another reader finds', () => {
  let compared = 0
  for (const { taken } of internal) {
    if (opcodeOf(taken.body) !== 0) continue
    const other = TonCoreCell.fromBoc(cellToBoc(taken.body))[0]!.beginParse().skip(32).loadStringTail()
    expect(bodyJson(taken.body)).toEqual({ '@type': 'text_comment', text: other })
    compared++
  }
  expect(compared).toBeGreaterThan(600)
})

const numberOf = (body: Fields, field: string): unknown => {
  const value = body[field] as Fields | undefined
  return typeof value === 'object' ? value.value : value
}

/** What a contract of the kind sends on: the kind of the answer, and the fields that both have in common. */
const ANSWERS: readonly [asked: string, answer: string, fields: readonly string[]][] = [
  ['jetton_transfer', 'jetton_internal_transfer', ['query_id', 'amount', 'forward_ton_amount', 'forward_payload']],
  ['jetton_internal_transfer', 'jetton_notify', ['query_id', 'amount', 'forward_payload']],
  ['jetton_internal_transfer', 'excess', ['query_id']],
  ['jetton_burn', 'jetton_burn_notification', ['query_id', 'amount', 'response_destination']],
  ['jetton_burn_notification', 'excess', ['query_id']],
  ['nft_transfer', 'nft_ownership_assigned', ['query_id', 'forward_payload']],
  ['nft_transfer', 'excess', ['query_id']],
  ['get_static_data', 'report_static_data', ['query_id']],
  ['get_royalty_params', 'report_royalty_params', ['query_id']],
  ['vesting_add_white_list', 'vesting_add_white_list_response', ['query_id']],
  ['vesting_send_message', 'vesting_send_message_response', ['query_id']],
  ['mulisig_new_order', 'multisig_order_init', ['query_id', 'expiration_date', 'order']],
  ['multisig_approve', 'multisig_approve_accepted', ['query_id']],
  ['payment_request', 'payment_confirmed', ['query_id']],
  ['prove_ownership', 'ownership_proof', ['query_id']],
  ['sbt_request_owner', 'sbt_owner_info', ['query_id']],
]

const plain = (value: Value | unknown): unknown =>
  typeof value === 'object' && value !== null && 'hash' in value ? (value as Cell).hash().toString('hex') : value

test('what contracts send on has the numbers and payloads that they were asked with', () => {
  const seen = new Set<string>()
  for (const { taken, sent } of internal) {
    const asked = decodeBody(taken.body)
    if (!asked) continue
    for (const { body } of sent) {
      const answer = decodeBody(body)
      const rule = ANSWERS.find(([from, to]) => from === asked['@type'] && to === answer?.['@type'])
      if (!rule || !answer) continue
      const common = (of: Fields) => rule[2].map((field) => [field, plain(numberOf(of, field))])
      expect([rule[1], ...common(answer)]).toEqual([rule[1], ...common(asked)])
      seen.add(`${rule[0]} ${rule[1]}`)
    }
  }
  expect(seen.size).toBe(ANSWERS.length)
})

/** The bodies of the messages that a request of a wallet holds, wherever they stand in it. */
const messagesIn = (value: Value): Fields[] => {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(messagesIn)
  const fields = value as Fields
  if (fields['@type'] === 'message') return [fields]
  return 'hash' in fields ? [] : Object.values(fields).flatMap(messagesIn)
}

test('what wallets send is in what they were asked from outside', () => {
  let compared = 0
  const kinds = new Set<string>()
  for (const { taken, sent } of exchanges) {
    const request = taken.info._ === 'ext_in_msg_info' ? decodeBody(taken.body) : undefined
    if (!request || !/wallet_signed|w5_external/.test(String(request['@type']))) continue
    kinds.add(String(request['@type']))
    const { op } = request
    if (op !== undefined && (op as Fields)['@type'] !== 'simple_send') continue
    const asked = messagesIn(request).map(({ body }) => (body as Fields).value)
    const values = asked.map((value) => JSON.stringify((value as Fields)?.cell_reference ?? value, exact))
    for (const message of sent) {
      const body = decodeBody(message.body)
      if (!body) continue
      expect(values).toContain(JSON.stringify(body, exact))
      compared++
    }
  }
  expect([...kinds].sort()).toEqual([
    'highload_wallet_signed_v2',
    'highload_wallet_signed_v3',
    'w5_external_signed_request',
    'wallet_signed_v1',
    'wallet_signed_v2',
    'wallet_signed_v3',
    'wallet_signed_v4',
  ])
  expect(compared).toBeGreaterThan(400)
})

/** Bigints as text and cells by their hashes, for comparing. */
function exact(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : plain(value)
}
