import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { readSnake } from '../ton/snake.ts'
import { parseMessageRelaxed } from '../ton/tlb/message-relaxed.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readOrNone } from './get-methods.ts'
import type { BodyValue, ParsedBody } from './parsed-body.ts'
import { textComment } from './text-comment.ts'
import {
  JETTON_BURN,
  JETTON_TRANSFER,
  NFT_TRANSFER,
  readJettonBurn,
  readJettonTransfer,
  readNftTransfer,
} from './transfer-bodies.ts'

type Fields = ParsedBody['fields']
/** Reads what stands behind the opcode; undefined, `malformed` or `limit` for a body of another form. */
type Read = (slice: Slice, body: Cell, opcode: number) => Fields | undefined

const OPCODE_BITS = 32
const TEXT = 0
const ENCRYPTED_TEXT = 0x2167da4b
const STONFI_SWAP = 0x25938561
/** What a stablecoin's wallet is locked with. */
const STATUS_BITS = 4
/** Bytes of a text that are shown: one cell can stand in a chain many times. */
const MAX_TEXT_BYTES = 1 << 16
const NANO_DIGITS = 9

const loadAccount = (slice: Slice): Address | null => accountOf(loadMsgAddress(slice))

const opcodeOf = (body: Cell): number | undefined =>
  body.exotic || body.bits < OPCODE_BITS ? undefined : beginParse(body).uint(OPCODE_BITS)

const snakeOf = (slice: Slice): Buffer => {
  const bytes = readSnake(slice)
  return bytes && bytes.length <= MAX_TEXT_BYTES ? bytes : Buffer.alloc(0)
}

const snakeBehindOpcode = (body: Cell): Buffer => snakeOf(beginParse(body).skip(OPCODE_BITS))

/** A comment as text; an encrypted one in base64. Empty where there is none. */
const commentOf = (body: Cell, opcode: number | undefined): string => {
  if (opcode === ENCRYPTED_TEXT) return snakeBehindOpcode(body).toString('base64')
  return textComment(body) ?? ''
}

/** Nano-units as whole units: "1.5". */
const wholeUnits = (nano: bigint): string => {
  const digits = nano.toString().padStart(NANO_DIGITS + 1, '0')
  const fraction = digits.slice(-NANO_DIGITS).replace(/0+$/, '')
  return `${digits.slice(0, -NANO_DIGITS)}${fraction && `.${fraction}`}`
}

/** DEX v1 `swap`: what its taker of jettons is told (ston.fi). */
const stonfiSwap = (payload: Cell): BodyValue =>
  readOrNone(() => {
    const slice = beginParse(payload).skip(OPCODE_BITS)
    const jetton_wallet = loadAccount(slice)
    const min_amount = wholeUnits(slice.coins())
    return { jetton_wallet, min_amount, user_address: loadAccount(slice) }
  }) ?? null

const jettonTransfer: Read = (_, body) => {
  const read = readJettonTransfer(body)
  if (!read) return undefined
  const payload = read.forward_payload
  const opcode = payload ? opcodeOf(payload) : undefined
  return {
    query_id: read.query_id,
    amount: read.amount,
    destination: accountOf(read.destination),
    response: accountOf(read.response_destination),
    custom_payload: read.custom_payload,
    forward_amount: read.forward_ton_amount,
    comment: payload ? commentOf(payload, opcode) : '',
    encrypted_comment: opcode === ENCRYPTED_TEXT,
    forward_payload: payload,
    payload_sum_type: opcode === undefined ? '' : `0x${opcode.toString(16)}`,
    stonfi_swap_body: payload && opcode === STONFI_SWAP ? stonfiSwap(payload) : null,
  }
}

const jettonBurn: Read = (_, body) => {
  const read = readJettonBurn(body)
  if (!read) return undefined
  const { query_id, amount, response_destination } = read
  return { query_id, amount, response_destination: accountOf(response_destination) }
}

const jettonMint: Read = (slice, _, opcode) => {
  const query_id = slice.uintBig(64)
  const to_address = loadAccount(slice)
  const ton_amount = slice.coins()
  const master = beginParse(slice.ref()).skip(OPCODE_BITS)
  const master_msg_query_id = master.uintBig(64)
  return { opcode, query_id, to_address, ton_amount, master_msg_query_id, master_msg_jetton_amount: master.coins() }
}

const nftTransfer: Read = (_, body) => {
  const read = readNftTransfer(body)
  if (!read) return undefined
  const { query_id, custom_payload, forward_amount, forward_payload } = read
  return {
    query_id,
    new_owner: accountOf(read.new_owner),
    response_destination: accountOf(read.response_destination),
    custom_payload,
    forward_amount,
    forward_payload,
  }
}

const queryId: Read = (slice) => ({ query_id: slice.uintBig(64) })

const CALLS: ReadonlyMap<number | undefined, string> = new Map([
  [undefined, ''],
  [0xeed236d3, 'JettonSetStatus'],
  [JETTON_TRANSFER, 'JettonTransfer'],
  [JETTON_BURN, 'JettonBurn'],
])

const jettonCallTo: Read = (slice) => {
  const query_id = slice.uintBig(64)
  const to_address = loadAccount(slice)
  const ton_amount = slice.coins()
  const action_data = slice.ref()
  return { query_id, to_address, ton_amount, action_type: CALLS.get(opcodeOf(action_data)) ?? 'Unknown', action_data }
}

const vestingInternalTransfer: Read = (slice) => {
  const query_id = slice.uintBig(64)
  const send_mode = slice.uint(8)
  const { info, body } = parseMessageRelaxed(slice.ref())
  return {
    query_id,
    send_mode,
    destination: accountOf(info.dest),
    value: info._ === 'int_msg_info' ? info.value.grams : null,
    message_body: body,
    comment: textComment(body) ?? '',
  }
}

/** The bodies that are known, by their opcodes (contracts/v3.md 5.9). */
const BODIES: ReadonlyMap<number, { type: string; read: Read }> = new Map([
  [
    ENCRYPTED_TEXT,
    { type: 'ton_transfer', read: (_, body, op) => ({ comment: commentOf(body, op), encrypted: true }) },
  ],
  [JETTON_TRANSFER, { type: 'jetton_transfer', read: jettonTransfer }],
  [JETTON_BURN, { type: 'jetton_burn', read: jettonBurn }],
  [0x00000015, { type: 'jetton_mint', read: jettonMint }],
  [0x642b7d07, { type: 'jetton_mint', read: jettonMint }],
  [NFT_TRANSFER, { type: 'nft_transfer', read: nftTransfer }],
  [0x00009fd3, { type: 'jetton_top_up', read: queryId }],
  [
    0x6501f354,
    {
      type: 'jetton_change_admin',
      read: (slice) => ({ query_id: slice.uintBig(64), new_admin_address: loadAccount(slice) }),
    },
  ],
  [0xfb88e119, { type: 'jetton_claim_admin', read: queryId }],
  [
    0xcb862902,
    {
      type: 'jetton_change_content',
      read: (slice) => ({ query_id: slice.uintBig(64), new_metadata_url: snakeOf(slice).toString('utf8') }),
    },
  ],
  [0x235caf52, { type: 'jetton_call_to', read: jettonCallTo }],
  [
    0xeed236d3,
    {
      type: 'jetton_set_status',
      read: (slice) => ({ query_id: slice.uintBig(64), new_status: slice.uint(STATUS_BITS) }),
    },
  ],
  [
    0x00001000,
    { type: 'single_nominator_withdraw', read: (slice) => ({ query_id: slice.uintBig(64), coins: slice.coins() }) },
  ],
  [
    0x00001001,
    {
      type: 'single_nominator_change_validator',
      read: (slice) => ({ query_id: slice.uintBig(64), validator_address: loadAccount(slice) }),
    },
  ],
  [0x75097f5d, { type: 'vesting_internal_transfer', read: vestingInternalTransfer }],
] satisfies [number, { type: string; read: Read }][])

/**
 * What the body of a message asks for that a multisig sends. One of a known opcode that is not of its form is `unknown`, as
 * those of all other opcodes are.
 */
export const parseMessageBody = (body: Cell): ParsedBody => {
  const opcode = opcodeOf(body)
  if (opcode === undefined || opcode === TEXT)
    return { type: 'ton_transfer', fields: { comment: commentOf(body, opcode), encrypted: false } }
  const known = BODIES.get(opcode)
  const fields = known && readOrNone(() => known.read(beginParse(body).skip(OPCODE_BITS), body, opcode))
  return known && fields ? { type: known.type, fields } : { type: 'unknown', fields: { opcode, data: body } }
}
