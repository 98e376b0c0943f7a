import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readOrNone } from './get-methods.ts'
import type { JettonWalletData } from './jetton.ts'

/**
 * How a code lays out its data: balance:VarUInteger16 owner:MsgAddress jetton:MsgAddress, then ^Cell with the code of
 * wallets (`code`) or not (`plain`); with the wallet's status:uint4 in front (`status`).
 */
type Layout = 'code' | 'plain' | 'status'

/** Codes (hash, base64) whose get_wallet_data gives what stands in their data. */
const LAYOUTS: ReadonlyMap<string, Layout> = new Map([
  ['vrBoPr64kn/p/I7AoYvH3ReJlomCWhIeq0bFo6hg0M4=', 'code'],
  ['St9IE1y1da267Udnmch/8pBCabH5Sa2k0EeekQS28hc=', 'code'],
  ['p2DWKdU0PnbQRQF9ncIW/IoweoN3gV/rKwpcSQ5zNIY=', 'code'],
  ['NGJQwgX1as+2r6b+e3ZVCAXSVsbY5H3U+U/2crR9GdM=', 'plain'],
  ['j0Utek39dAZraCNlF3JZ7QVzRDW+drX9S9XYryt8PWg=', 'status'],
  ['iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=', 'status'],
])

const STATUS_BITS = 4

/** Undefined for an address that get_wallet_data would show and that names no account in the plain form. */
const loadAccount = (slice: Slice): Address | undefined => {
  const address = loadMsgAddress(slice)
  return address._ === 'addr_std' && !address.anycast ? (accountOf(address) ?? undefined) : undefined
}

const loadWallet = (slice: Slice, layout: Layout): JettonWalletData | undefined => {
  if (layout === 'status') slice.skip(STATUS_BITS)
  const balance = slice.coins()
  const owner = loadAccount(slice)
  const jetton = loadAccount(slice)
  if (layout === 'code') slice.ref()
  slice.expectEnd()
  return owner && jetton && { balance, owner, jetton }
}

/**
 * What a wallet of a well-known code would answer to get_wallet_data, read from the root cell of its data (its references
 * may be pruned); undefined for other codes and for data of another layout.
 */
export const knownWalletData = (codeHash: Buffer, data: Cell): JettonWalletData | undefined => {
  const layout = LAYOUTS.get(codeHash.toString('base64'))
  return layout && readOrNone(() => loadWallet(beginParse(data), layout))
}
