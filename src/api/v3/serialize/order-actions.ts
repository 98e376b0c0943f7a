import { readOrNone } from '../../../contracts/get-methods.ts'
import { type OrderAction, readOrderActions } from '../../../contracts/multisig-order.ts'
import type { BodyValue, ParsedBody } from '../../../contracts/parsed-body.ts'
import { type Address, rawAddressUpper } from '../../../ton/address.ts'
import { parseBocRoot } from '../../../ton/boc.ts'
import { Cell } from '../../../ton/cell.ts'
import type { Wire } from '../go-json.ts'
import type { Row } from '../row-page.ts'
import { addressOrNull, base64, bocText } from './scalars.ts'

const isAddresses = (value: object): value is readonly Address[] => Array.isArray(value)
const isAddress = (value: object): value is Address => 'workchain' in value && 'hash' in value

/**
 * A value of a parsed body. Numbers of 64 bits and more are decimal strings, as everywhere in API v3: the reference writes
 * query_id as a JSON number here, of which JavaScript loses digits (contracts/v3.md 19 #24).
 */
const bodyValue = (value: BodyValue): Wire => {
  if (typeof value === 'bigint') return String(value)
  if (value === null || typeof value !== 'object') return value
  if (Buffer.isBuffer(value)) return base64(value)
  if (value instanceof Cell) return bocText(value)
  if (isAddresses(value)) return value.map(rawAddressUpper)
  return isAddress(value) ? rawAddressUpper(value) : bodyFields(value)
}

const bodyFields = (fields: ParsedBody['fields']): Wire =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, bodyValue(value)]))

const NO_MESSAGE = { destination: null, value: null, body_raw: null }

/** OrderAction of contracts/v3.md 5.9. */
const orderAction = (action: OrderAction): Wire => {
  if (action._ === 'unknown')
    return {
      ...NO_MESSAGE,
      parsed: false,
      error: action.error,
      parsed_body: null,
      parsed_body_type: 'unknown',
      send_mode: 0,
    }
  const isMessage = action._ === 'send_message'
  return {
    ...(isMessage
      ? {
          destination: addressOrNull(action.destination),
          value: String(action.value),
          body_raw: bocText(action.body),
        }
      : NO_MESSAGE),
    parsed: true,
    error: null,
    parsed_body: bodyFields(action.parsed.fields),
    parsed_body_type: action.parsed.type,
    send_mode: isMessage ? action.mode : 0,
  }
}

/** The actions of an order; null for what is no order. The addresses are those that its messages go to. */
export const orderActions = (order_boc: Buffer): Row => {
  const actions = readOrNone(() => readOrderActions(parseBocRoot(order_boc)))
  if (!actions) return { wire: null, addresses: [] }
  const addresses = actions.map((action) => (action._ === 'send_message' ? addressOrNull(action.destination) : null))
  return { wire: actions.map(orderAction), addresses }
}
