import { sliceToCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { loadMsgAddress, type MsgAddress } from '../ton/tlb/msg-address.ts'
import { readOrNone } from './get-methods.ts'

/** Opcodes of the bodies that are read here. */
export const JETTON_TRANSFER = 0x0f8a7ea5
export const JETTON_BURN = 0x595f07bc
export const NFT_TRANSFER = 0x5fcc3d14

/** TEP-74 `transfer`; amount in the jetton's base units, forward_ton_amount in nano-units. */
export interface JettonTransferBody extends ForwardPayload {
  query_id: bigint
  amount: bigint
  destination: MsgAddress
  response_destination: MsgAddress
  custom_payload: Cell | null
  forward_ton_amount: bigint
}

/** TEP-74 `burn`; amount in the jetton's base units. */
export interface JettonBurnBody {
  query_id: bigint
  amount: bigint
  response_destination: MsgAddress
  custom_payload: Cell | null
}

/** TEP-62 `transfer`; forward_amount in nano-units. */
export interface NftTransferBody extends ForwardPayload {
  query_id: bigint
  new_owner: MsgAddress
  response_destination: MsgAddress
  custom_payload: Cell | null
  forward_amount: bigint
}

/** TL-B Either Cell ^Cell. */
export interface ForwardPayload {
  /** From either arm; null where there is none, or nothing in it. */
  forward_payload: Cell | null
  /** Only where the Either stands in line and holds nothing. */
  empty_payload?: true
}

/**
 * TL-B Either Cell ^Cell: what stands in line is given as a cell of its own. Contracts pass it on unread, so one that is cut
 * off stands for none.
 */
export const loadForwardPayload = (slice: Slice): ForwardPayload => {
  if (slice.remainingBits === 0) return { forward_payload: null }
  if (slice.bit()) return { forward_payload: slice.remainingRefs === 0 ? null : slice.ref() }
  const isEmpty = slice.remainingBits === 0 && slice.remainingRefs === 0
  return isEmpty ? { forward_payload: null, empty_payload: true } : { forward_payload: sliceToCell(slice) }
}

/** What `load` makes of a body behind its tag; undefined for another tag and for a body that is cut off. */
export const readTaggedBody = <T>(body: Cell, tag: number, load: (slice: Slice) => T): T | undefined =>
  readOrNone(() => {
    const slice = beginParse(body)
    return slice.uint(32) === tag ? load(slice) : undefined
  })

/** The jetton transfer that a message's body asks a wallet for; undefined for any other body (contracts/v3.md 13). */
export const readJettonTransfer = (body: Cell): JettonTransferBody | undefined =>
  readTaggedBody(body, JETTON_TRANSFER, (slice) => ({
    query_id: slice.uintBig(64),
    amount: slice.coins(),
    destination: loadMsgAddress(slice),
    response_destination: loadMsgAddress(slice),
    custom_payload: slice.maybeRef(),
    forward_ton_amount: slice.coins(),
    ...loadForwardPayload(slice),
  }))

/** The burn that a message's body asks a wallet for; many senders leave custom_payload out with its bit. */
export const readJettonBurn = (body: Cell): JettonBurnBody | undefined =>
  readTaggedBody(body, JETTON_BURN, (slice) => ({
    query_id: slice.uintBig(64),
    amount: slice.coins(),
    response_destination: loadMsgAddress(slice),
    custom_payload: slice.remainingBits === 0 ? null : slice.maybeRef(),
  }))

/** The transfer that a message's body asks an NFT item for; undefined for any other body. */
export const readNftTransfer = (body: Cell): NftTransferBody | undefined =>
  readTaggedBody(body, NFT_TRANSFER, (slice) => ({
    query_id: slice.uintBig(64),
    new_owner: loadMsgAddress(slice),
    response_destination: loadMsgAddress(slice),
    custom_payload: slice.maybeRef(),
    forward_amount: slice.coins(),
    ...loadForwardPayload(slice),
  }))
