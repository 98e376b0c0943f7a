import { TonlithError } from '../common/errors.ts'
import type {
  PaymentChannelAccountState,
  PaymentChannelConfig,
  PaymentChannelOpenState,
  PaymentChannelState,
} from '../model/account-state.ts'
import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { crc16 } from '../ton/crc.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readCanonicalAmount } from './amount.ts'
import { describeChannel } from './payment-channel-description.ts'

const KEY_TAG = Buffer.from([0x3e, 0xe6])
const STATE_TAGS = { init: 0b000, close: 0b001, payout: 0b010 }

/** The 48-character form of an Ed25519 key: base64url of tag, key and CRC-16. */
const keyText = (key: Buffer): string => {
  const tagged = Buffer.concat([KEY_TAG, key])
  const sum = crc16(tagged)
  return Buffer.concat([tagged, Buffer.of(sum >> 8, sum & 255)]).toString('base64url')
}

/** The account that a party's address names; undefined for an external address. */
const readParty = (cell: Cell): Address | undefined => accountOf(loadMsgAddress(beginParse(cell))) ?? undefined

/** chan_config$_ init_timeout close_timeout a_key b_key a_addr:^MsgAddressInt b_addr:^ channel_id min_A_extra:Grams. */
const readConfig = (cell: Cell): PaymentChannelConfig => {
  const slice = beginParse(cell)
  const init_timeout = slice.int(32)
  const close_timeout = slice.int(32)
  const alice_public_key = keyText(slice.bytes(32))
  const bob_public_key = keyText(slice.bytes(32))
  const alice_address = readParty(slice.ref())
  const bob_address = readParty(slice.ref())
  const channel_id = slice.intBig(64)
  slice.coins()
  slice.expectEnd()
  return { alice_public_key, alice_address, bob_public_key, bob_address, init_timeout, close_timeout, channel_id }
}

const readOpenState = (_: PaymentChannelOpenState['_'], slice: Slice): PaymentChannelOpenState => {
  const signed_A = slice.bit()
  const signed_B = slice.bit()
  const min_A = readCanonicalAmount(slice)
  const min_B = readCanonicalAmount(slice)
  const expire_at = slice.uintBig(32)
  return {
    _,
    signed_A,
    signed_B,
    min_A,
    min_B,
    expire_at,
    A: readCanonicalAmount(slice),
    B: readCanonicalAmount(slice),
  }
}

/** chan_state_init$000, chan_state_close$001 (whose promises are min_A and min_B here) and chan_state_payout$010. */
const readState = (cell: Cell): PaymentChannelState => {
  const slice = beginParse(cell)
  const tag = slice.uint(3)
  let state: PaymentChannelState
  if (tag === STATE_TAGS.init) state = readOpenState('pchan.stateInit', slice)
  else if (tag === STATE_TAGS.close) state = readOpenState('pchan.stateClose', slice)
  else if (tag === STATE_TAGS.payout)
    state = { _: 'pchan.statePayout', A: readCanonicalAmount(slice), B: readCanonicalAmount(slice) }
  else throw new TonlithError('malformed', 'unknown payment channel state')
  slice.expectEnd()
  return state
}

/**
 * Data of the payment channel: chan_data$_ config:^ChanConfig state:^ChanState. Throws `malformed` for another layout
 * and for amounts beyond int64 or with leading zero bytes.
 */
export const readPaymentChannel = (data: Slice): PaymentChannelAccountState => {
  const config = readConfig(data.ref())
  const state = readState(data.ref())
  data.expectEnd()
  return { _: 'pchan.accountState', config, state, description: describeChannel(state) }
}
