import type { Address } from '../ton/address.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import type { Slice } from '../ton/slice.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { type ForwardPayload, loadForwardPayload, readTaggedBody } from './transfer-bodies.ts'

/** Opcodes of the bodies that are read here, and of their kin. */
export const JETTON_INTERNAL_TRANSFER = 0x178d4519
export const JETTON_NOTIFY = 0x7362d09c
export const JETTON_BURN_NOTIFICATION = 0x7bdd97de
export const JETTON_MINT = 0x642b7d07
export const MINTER_JETTON_MINT = 0x00000015
export const NFT_OWNERSHIP_ASSIGNED = 0x05138d91
/** What Ethena's minter tells a wallet whose jettons are locked for a time: an `internal_transfer` otherwise. */
export const ETHENA_LOCKED_TRANSFER = 0xb2583ed5

/** TEP-74 `internal_transfer`: what a jetton wallet or a minter tells the wallet that takes. */
export interface JettonInternalTransferBody extends ForwardPayload {
  query_id: bigint
  amount: bigint
  from: Address | null
  response_address: Address | null
  /** Nano-units. */
  forward_ton_amount: bigint
}

/** TEP-74 `transfer_notification`. */
export interface JettonNotifyBody extends ForwardPayload {
  query_id: bigint
  amount: bigint
  sender: Address | null
}

/** What a minter is asked for; nano-units, and the message that it is to send to the wallet. */
export interface JettonMintBody {
  query_id: bigint
  to_address: Address | null
  ton_amount: bigint
  master_msg: Cell
}

/** TEP-62 `ownership_assigned`. */
export interface OwnershipAssignedBody extends ForwardPayload {
  query_id: bigint
  prev_owner: Address | null
}

const loadAccount = (slice: Slice): Address | null => accountOf(loadMsgAddress(slice))

const EMPTY = beginCell().endCell()

/** The payload as it was sent on: an empty cell where the Either stands in line and holds nothing. */
export const payloadOf = ({ forward_payload, empty_payload }: ForwardPayload): Cell | null =>
  empty_payload ? EMPTY : forward_payload

const loadInternalTransfer = (slice: Slice): JettonInternalTransferBody => ({
  query_id: slice.uintBig(64),
  amount: slice.coins(),
  from: loadAccount(slice),
  response_address: loadAccount(slice),
  forward_ton_amount: slice.coins(),
  ...loadForwardPayload(slice),
})

export const readJettonInternalTransfer = (body: Cell): JettonInternalTransferBody | undefined =>
  readTaggedBody(body, JETTON_INTERNAL_TRANSFER, loadInternalTransfer)

export const readLockedTransfer = (body: Cell): JettonInternalTransferBody | undefined =>
  readTaggedBody(body, ETHENA_LOCKED_TRANSFER, loadInternalTransfer)

export const readJettonNotify = (body: Cell): JettonNotifyBody | undefined =>
  readTaggedBody(body, JETTON_NOTIFY, (slice) => ({
    query_id: slice.uintBig(64),
    amount: slice.coins(),
    sender: loadAccount(slice),
    ...loadForwardPayload(slice),
  }))

const loadMint = (slice: Slice): JettonMintBody => ({
  query_id: slice.uintBig(64),
  to_address: loadAccount(slice),
  ton_amount: slice.coins(),
  master_msg: slice.ref(),
})

export const readJettonMint = (body: Cell): JettonMintBody | undefined =>
  readTaggedBody(body, JETTON_MINT, loadMint) ?? readTaggedBody(body, MINTER_JETTON_MINT, loadMint)

export const readOwnershipAssigned = (body: Cell): OwnershipAssignedBody | undefined =>
  readTaggedBody(body, NFT_OWNERSHIP_ASSIGNED, (slice) => ({
    query_id: slice.uintBig(64),
    prev_owner: loadAccount(slice),
    ...loadForwardPayload(slice),
  }))

const BID_INFO = 0x38127de1

/** The winning bid that a telemint item tells its new owner of (`teleitem_bid_info`), nano-units; undefined for another payload. */
export const readBidInfo = (payload: Cell): bigint | undefined =>
  readTaggedBody(payload, BID_INFO, (slice) => slice.coins())
