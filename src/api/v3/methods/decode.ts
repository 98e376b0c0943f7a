import { isTonlithError } from '../../../common/errors.ts'
import { type BodyObject, bodyJson } from '../../../contracts/body-json.ts'
import { opcodeName } from '../../../contracts/opcodes.ts'
import { parseBocRoot } from '../../../ton/boc.ts'
import type { Cell } from '../../../ton/cell.ts'
import { MAX_MESSAGE_BYTES, MAX_MESSAGE_CELLS } from '../../../ton/external-message.ts'
import { arrayOf, type JsonSchema, STRING } from '../../json-schema.ts'
import { goJson } from '../go-json.ts'
import { type Answer, type BodyParam, type CallContext, get, type Method, post } from '../method.ts'
import { refusal, texts } from '../param.ts'
import { DECODED } from '../schemas.ts'

type Context = CallContext<unknown>
/** Texts of opcodes and of bodies, each as it was sent. */
interface Asked {
  opcodes: readonly string[]
  bodies: readonly string[]
}

const MAX_LISTED = 1000
const MAX_SHOWN = 80
/** A body may come in a form with an index and stored hashes. No message has more cells. */
const MAX_BYTES = 4 * MAX_MESSAGE_BYTES
const OPCODE_BITS = 32

const HEX32 = /^[0-9a-fA-F]+$/
const DECIMAL = /^[+-]?[0-9]+$/

/** An opcode as hex with or without 0x, else as decimal of an uint32 or int32. Undefined for another text. */
const opcodeOf = (digits: string): number | undefined => {
  if (HEX32.test(digits) && BigInt(`0x${digits}`) <= 0xffffffffn) return Number.parseInt(digits, 16)
  if (!DECIMAL.test(digits)) return undefined
  const value = Number(digits)
  return value >= -(2 ** 31) && value < 2 ** 32 ? value >>> 0 : undefined
}

const nameOf = (text: string, index: number): string => {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  const opcode = digits.length <= MAX_SHOWN ? opcodeOf(digits) : undefined
  if (opcode === undefined) throw refusal(`invalid opcode format at index ${index}: ${digits.slice(0, MAX_SHOWN)}`)
  return opcodeName(opcode) ?? 'unknown'
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/
const HEX = /^[0-9a-fA-F]*$/

/** The bytes of a body's text; a space stands where an unescaped plus was sent in a query. */
const bytesOf = (text: string): Buffer | string => {
  if (!text.startsWith('te6')) {
    const isHex = text.length % 2 === 0 && HEX.test(text)
    return isHex ? Buffer.from(text, 'hex') : 'failed to decode hex: no hex digits'
  }
  const digits = text.replaceAll(' ', '+')
  return BASE64.test(digits) ? Buffer.from(digits, 'base64') : 'failed to decode base64: illegal character'
}

const rootOf = (boc: Buffer): Cell | string => {
  try {
    return parseBocRoot(boc, { maxBytes: MAX_BYTES, maxCells: MAX_MESSAGE_CELLS })
  } catch (error) {
    if (!isTonlithError(error)) throw error
    return `failed to deserialize boc: ${error.message}`
  }
}

const toldOf = (root: Cell): BodyObject | string => {
  if (root.exotic) return 'vm error - unexpected exotic cell'
  const told = bodyJson(root)
  if (told) return told
  return root.bits < OPCODE_BITS ? `boc is too small, size ${root.bits}` : 'no parser succeeded'
}

const decodedText = (text: string): string => {
  const bytes = bytesOf(text)
  const root = typeof bytes === 'string' ? bytes : rootOf(bytes)
  const told = typeof root === 'string' ? root : toldOf(root)
  return goJson(typeof told === 'string' ? { error: `unknown: ${told}` } : told)
}

const check = ({ opcodes, bodies }: Asked): void => {
  if (opcodes.length > MAX_LISTED) throw refusal(`opcodes list exceeds maximum length of ${MAX_LISTED}`)
  if (bodies.length > MAX_LISTED) throw refusal(`bodies list exceeds maximum length of ${MAX_LISTED}`)
}

const call = async (asked: Asked, { writer }: Context): Promise<Answer> => {
  check(asked)
  const names = goJson(asked.opcodes.map(nameOf))
  return { text: `{"opcodes":${names},"bodies":${await writer.list(asked.bodies, decodedText)}}` }
}

const OPCODES = 'Opcodes as hex or decimal, at most 1000'
const BODIES = 'Bodies as bags of cells in base64 or hex, at most 1000'
const described = { name: 'decode', group: 'utils', result: DECODED } as const
const summary = 'What opcodes are called and what bodies of messages say'
const errors = { 422: 'A list is too long, or an opcode is no number' }

const list = (description: string): BodyParam<readonly string[]> => {
  const schema: JsonSchema = arrayOf(STRING)
  return {
    required: false,
    description,
    schema,
    read: (input, name) => {
      if (input === undefined || input === null) return []
      if (!Array.isArray(input) || !input.every((text) => typeof text === 'string'))
        throw refusal(`failed to decode: ${name} must be a list of texts`)
      return input as readonly string[]
    },
  }
}

const decodeGet = get({
  ...described,
  summary,
  errors,
  params: { opcodes: texts({ description: OPCODES }), bodies: texts({ description: BODIES }) },
  needsIndex: false,
  call,
})

const decodePost = post({
  ...described,
  summary,
  errors,
  body: { opcodes: list(OPCODES), bodies: list(BODIES) },
  call,
})

/** Methods that tell what bodies say (contracts/v3.md 8). */
export const decodeMethods: readonly Method<unknown>[] = [decodeGet, decodePost]
