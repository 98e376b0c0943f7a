import { TonlithError } from '../common/errors.ts'
import { decodeUtf8 } from '../common/utf8.ts'
import type { TelemintEntity } from '../model/entities.ts'
import type { Address } from '../ton/address.ts'
import { readSnake } from '../ton/snake.ts'
import type { StackValue } from '../ton/stack.ts'
import { addressAt, type GetMethods, numberAt, readAnswer, readOrNone, sliceAt, uintAt } from './get-methods.ts'

/** Bytes of a name; those that exist have at most 32. */
const MAX_NAME = 1024

type Stack = readonly StackValue[]

const readName = (stack: Stack): string => {
  const bytes = readSnake(sliceAt(stack, 0))
  const text = bytes && decodeUtf8(bytes)
  if (text === undefined || bytes!.length > MAX_NAME) throw new TonlithError('malformed', 'not a name')
  return text
}

const readConfig = (stack: Stack) => ({
  beneficiary_address: addressAt(stack, 0) ?? null,
  initial_min_bid: uintAt(stack, 1),
  max_bid: uintAt(stack, 2),
  min_bid_step: uintAt(stack, 3),
  min_extend_time: uintAt(stack, 4),
  duration: uintAt(stack, 5),
})

const readRoyalty = (stack: Stack) => ({
  royalty_numerator: uintAt(stack, 0),
  royalty_denominator: uintAt(stack, 1),
  royalty_destination: addressAt(stack, 2) ?? null,
})

const readState = (stack: Stack) => ({
  bidder_address: addressAt(stack, 0) ?? null,
  bid: uintAt(stack, 1),
  bid_ts: numberAt(stack, 2),
  min_bid: uintAt(stack, 3),
  end_time: numberAt(stack, 4),
})

/** What an item tells that is not on auction: get_telemint_auction_state throws then. */
const NO_STATE = { bidder_address: null, bid: null, bid_ts: null, min_bid: null, end_time: null }

/** The telemint item (usernames, numbers, gifts) that a contract is, or undefined. Throws what `methods` throws. */
export const telemintEntity = async (methods: GetMethods, address: Address): Promise<TelemintEntity | undefined> => {
  const token_name = readAnswer(methods, await methods.run(address, 'get_telemint_token_name'), readName)
  if (token_name === undefined) return undefined
  const config = readAnswer(methods, await methods.run(address, 'get_telemint_auction_config'), readConfig)
  const royalty = config && readAnswer(methods, await methods.run(address, 'royalty_params'), readRoyalty)
  if (!royalty) return undefined
  const auction = await methods.run(address, 'get_telemint_auction_state')
  const state = auction && readOrNone(() => readState(auction))
  return { _: 'telemint', token_name, ...config, ...royalty, ...(state ?? NO_STATE) }
}
