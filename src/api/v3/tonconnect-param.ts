import { isJsonObject, type Json } from '../../common/lossless-json.ts'
import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import { type ExtraCurrency, extraCurrencyDict } from '../../ton/tlb/currency.ts'
import { arrayOf, type JsonSchema, STRING } from '../json-schema.ts'
import { bagCells } from '../v2/cell-param.ts'
import { address, int32 } from '../v2/param.ts'
import type { BodyParam } from './method.ts'
import { refusal } from './param.ts'
import { readUint64 } from './value-formats.ts'

/** A message as TON Connect asks a wallet for it. */
export interface TonConnectMessage {
  to: Address
  bounce: boolean
  /** Nano-units. */
  amount: bigint
  /** Root of TL-B ExtraCurrencyCollection. */
  extra_currency: Cell | null
  payload: Cell | null
  /** TL-B ^StateInit. */
  state_init: Cell | null
  /** Mode of SENDRAWMSG. */
  mode: number
}

const MAX_MESSAGES = 4
/** Fees are paid apart from the amount, what cannot be sent is left out. */
const DEFAULT_MODE = 3
const MAX_MODE = 255
const MAX_CURRENCIES = 16
const MIN_WORKCHAIN = -128
const MAX_WORKCHAIN = 127
const UINT32 = 0xffff_ffffn

const ADDRESS = address({})
const CELL = bagCells.optional('')
const MODE = int32({ default: DEFAULT_MODE, nonNegative: true, max: MAX_MODE })

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''

const integerOf = (value: Json | undefined, name: string): bigint => {
  const number = readUint64(textOf(value))
  if (number === undefined) throw refusal(`${name} should be an unsigned 64-bit number in decimal`)
  return number
}

const currenciesOf = (value: Json | undefined, name: string): Cell | null => {
  if (value === undefined || value === null) return null
  const entries = isJsonObject(value) ? Object.entries(value) : undefined
  if (!entries || entries.length > MAX_CURRENCIES)
    throw refusal(`${name} should be an object of at most ${MAX_CURRENCIES} amounts by id`)
  const amounts = new Map(entries.map(([id, amount]) => [integerOf(id, `id in ${name}`), integerOf(amount, name)]))
  if ([...amounts.keys()].some((id) => id > UINT32)) throw refusal(`id in ${name} should have at most 32 bits`)
  return extraCurrencyDict(Array.from(amounts, ([id, amount]): ExtraCurrency => [Number(id), amount]))
}

const readMessage = (given: Json, i: number): TonConnectMessage => {
  const name = (field: string): string => `messages[${i}].${field}`
  if (!isJsonObject(given)) throw refusal(`messages[${i}] should be an object`)
  const to = ADDRESS.read(given['address'], name('address'))
  if (to.workchain < MIN_WORKCHAIN || to.workchain > MAX_WORKCHAIN)
    throw refusal(`${name('address')}: workchain ${to.workchain} does not exist`)
  const mode = MODE.read(given['mode'], name('mode'))
  MODE.check?.(mode, name('mode'))
  return {
    to,
    // A raw address bounces, as the reference has it.
    bounce: to.flags?.bounceable ?? true,
    amount: integerOf(given['amount'], name('amount')),
    extra_currency: currenciesOf(given['extra_currency'] ?? given['extraCurrency'], name('extra_currency')),
    payload: CELL.read(given['payload'], name('payload')) ?? null,
    state_init: CELL.read(given['stateInit'], name('stateInit')) ?? null,
    mode,
  }
}

const MESSAGE: JsonSchema = {
  type: 'object',
  required: ['address', 'amount'],
  properties: {
    address: { ...STRING, description: 'Of an account; the friendly form says whether the message bounces' },
    amount: { type: 'string', pattern: '^[0-9]+$', description: 'Nano-units' },
    payload: { ...STRING, description: 'Body as bag of cells in base64' },
    stateInit: { ...STRING, description: 'TL-B StateInit as bag of cells in base64' },
    extra_currency: { type: 'object', additionalProperties: STRING, description: 'Amounts of other currencies by id' },
    mode: { type: 'integer', minimum: 0, maximum: MAX_MODE, default: DEFAULT_MODE },
  },
}

/** One to four messages. */
export const tonConnectMessages: BodyParam<readonly TonConnectMessage[]> = {
  required: true,
  description: 'What the wallet is asked to send, at most four messages',
  schema: { ...arrayOf(MESSAGE), minItems: 1, maxItems: MAX_MESSAGES },
  read: (input) => {
    if (!Array.isArray(input) || input.length === 0) throw refusal('messages array cannot be empty')
    if (input.length > MAX_MESSAGES) throw refusal(`messages array cannot contain more than ${MAX_MESSAGES} messages`)
    return input.map(readMessage)
  },
}

/** A clock's reading is told to be in ms, microseconds or ns by its size. */
const UNITS: readonly [from: bigint, perSecond: bigint][] = [
  [10n ** 18n, 10n ** 9n],
  [10n ** 15n, 10n ** 6n],
  [10n ** 12n, 10n ** 3n],
]

/** Unix seconds until which a request is good; also what clients send in smaller units, as the reference takes it. */
export const validUntil: BodyParam<number | undefined> = {
  required: false,
  description: 'Unix time in seconds until which the wallet takes it; five minutes from then on unless given',
  schema: { type: 'integer', minimum: 0 },
  read: (input, name) => {
    if (input === undefined || input === null) return undefined
    const given = integerOf(input, name)
    const seconds = given / (UNITS.find(([from]) => given >= from)?.[1] ?? 1n)
    if (seconds > UINT32) throw refusal(`${name} is no time in seconds`)
    return Number(seconds)
  },
}
