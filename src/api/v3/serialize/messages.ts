import { opcodeName } from '../../../contracts/opcodes.ts'
import { opcodeOf, opcodeText, otherNormOf } from '../../../model/batch-message.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import type { Cell } from '../../../ton/cell.ts'
import { extraCurrencies } from '../../../ton/tlb/currency.ts'
import { type CommonMsgInfo, parseMessage } from '../../../ton/tlb/message.ts'
import { accountOf } from '../../../ton/tlb/msg-address.ts'
import type { Wire } from '../go-json.ts'
import { decodedBody } from './decoded-body.ts'
import { base64, bocText, currencies, given } from './scalars.ts'

/** A message with the addresses that an address book names for it. */
export interface WrittenMessage {
  source: string | null
  destination: string | null
  wire: { readonly [key: string]: Wire | undefined }
}

/** What stands in a message beside its cell. */
export interface MessageContext {
  /** Before global version 12 the place of `extra_flags` held `ihr_fee`. */
  hasIhrFee: boolean
  /** Hashes of the transactions that took and that sent it. */
  in_tx?: Buffer | null
  out_tx?: Buffer | null
}

const content = (cell: Cell, decoded: Wire): Wire => ({
  hash: base64(cell.hash()),
  body: bocText(cell),
  decoded,
})

const amounts = (info: CommonMsgInfo, hasIhrFee: boolean) => {
  if (info._ !== 'int_msg_info')
    return { value: null, value_extra_currencies: null, fwd_fee: null, ihr_fee: null, extra_flags: null }
  return {
    value: String(info.value.grams),
    value_extra_currencies: currencies(extraCurrencies(info.value.other)),
    fwd_fee: String(info.fwd_fee),
    ihr_fee: hasIhrFee ? String(info.extra_flags) : '0',
    extra_flags: hasIhrFee ? null : String(info.extra_flags),
  }
}

const flags = (info: CommonMsgInfo) =>
  info._ === 'int_msg_info'
    ? { ihr_disabled: info.ihr_disabled, bounce: info.bounce, bounced: info.bounced }
    : { ihr_disabled: null, bounce: null, bounced: null }

const txHash = (hash: Buffer | null | undefined): string | undefined => (hash ? base64(hash) : undefined)

/** Message of contracts/v3.md 5.3, of the cell of a TL-B Message Any. Throws `malformed`. */
export const message = (cell: Cell, { hasIhrFee, in_tx, out_tx }: MessageContext): WrittenMessage => {
  const { info, init, body } = parseMessage(cell)
  const [from, to] = [accountOf(info.src), accountOf(info.dest)]
  const source = from && rawAddressUpper(from)
  const destination = to && rawAddressUpper(to)
  const fromOutside = info._ === 'ext_in_msg_info'
  const opcode = opcodeOf(body)
  return {
    source,
    destination,
    wire: {
      hash: base64(cell.hash()),
      source,
      destination,
      ...amounts(info, hasIhrFee),
      created_lt: fromOutside ? null : String(info.created_lt),
      created_at: fromOutside ? null : String(info.created_at),
      opcode: opcode === null ? null : opcodeText(opcode),
      decoded_opcode: opcode === null ? null : (opcodeName(opcode) ?? null),
      ...flags(info),
      import_fee: fromOutside ? String(info.import_fee) : null,
      in_msg_tx_hash: txHash(in_tx),
      out_msg_tx_hash: txHash(out_tx),
      message_content: content(body, decodedBody(body)),
      init_state: init && content(init, null),
      hash_norm: fromOutside ? given(otherNormOf(cell), base64) : undefined,
    },
  }
}
