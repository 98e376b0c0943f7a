import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { Slice } from '../ton/slice.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readOrNone } from './get-methods.ts'
import { readTaggedBody } from './transfer-bodies.ts'

/** Opcodes of what tgBTC's contracts tell the outside (schemes/tgbtc.tlb). */
export const TGBTC_MINTED = 0x77a80ef3
export const TGBTC_BURNED = 0xca444ce6
export const TGBTC_NEW_KEY = 0x27756729
export const TGBTC_KEY_MADE = 0x453443a6

/** Amounts in the jetton's base units (satoshi). */
export interface TgbtcMinted {
  amount: bigint
  recipient: Address | null
  /** Hex, in the order of bytes in which explorers of Bitcoin show it. */
  bitcoin_txid: string
}

export interface TgbtcBurned {
  amount: bigint
  sender: Address | null
  /** The contract that has the coins sent on Bitcoin. */
  pegout: Address | null
}

/** A key of the signers' group that coins of the old one are sent to. */
export interface TgbtcNewKey {
  amount: bigint
  /** Hex. */
  pubkey: string
  pegout: Address | null
}

export interface TgbtcKeyMade {
  /** Seconds. */
  timestamp: bigint
  /** Hex. */
  pubkey: string
}

const loadAccount = (slice: Slice): Address | null => accountOf(loadMsgAddress(slice))

const loadKey = (slice: Slice): string => slice.bytes(32).toString('hex')

/** Undefined for another body. */
export const readTgbtcMinted = (body: Cell): TgbtcMinted | undefined =>
  readTaggedBody(body, TGBTC_MINTED, (slice) => ({
    amount: slice.coins(),
    recipient: loadAccount(slice),
    bitcoin_txid: Buffer.from(slice.bytes(32)).reverse().toString('hex'),
  }))

/** The account as it stands there, its anycast prefix (which the chain knows no more) not applied. */
const loadWritten = (slice: Slice): Address | null => {
  const address = loadMsgAddress(slice)
  return address._ === 'addr_std' ? { workchain: address.workchain_id, hash: address.address } : accountOf(address)
}

/**
 * Undefined for another body. The first contracts told other things under the same opcode; what they tell is read alike, as
 * the reference does: its amount may be any, and an address that is none is null.
 */
export const readTgbtcBurned = (body: Cell): TgbtcBurned | undefined =>
  readTaggedBody(body, TGBTC_BURNED, (slice) => {
    const amount = slice.coins()
    const sender = readOrNone(() => loadWritten(slice))
    const pegout = sender === undefined ? undefined : readOrNone(() => loadWritten(slice))
    return { amount, sender: sender ?? null, pegout: pegout ?? null }
  })

/** Undefined for another body. */
export const readTgbtcNewKey = (body: Cell): TgbtcNewKey | undefined =>
  readTaggedBody(body, TGBTC_NEW_KEY, (slice) => ({
    amount: slice.coins(),
    pubkey: loadKey(slice),
    pegout: loadAccount(slice),
  }))

/** Undefined for another body. */
export const readTgbtcKeyMade = (body: Cell): TgbtcKeyMade | undefined =>
  readTaggedBody(body, TGBTC_KEY_MADE, (slice) => ({ timestamp: slice.uintBig(64), pubkey: loadKey(slice) }))
