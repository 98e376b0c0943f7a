import { JETTON_TRANSFER } from '../../contracts/transfer-bodies.ts'
import type { Address } from '../../ton/address.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { type InitialState, initCell } from '../../ton/external-message.ts'
import { storeStdAddress } from '../../ton/tlb/msg-address.ts'
import { JETTON_MINTER_CODE, JETTON_WALLET_CODE } from './codes.ts'
import { commentBody, onchainContent } from './token-content.ts'
import { DEV_WALLETS } from './wallets.ts'

const MINT = 21
const INTERNAL_TRANSFER = 0x178d4519

const admin = DEV_WALLETS[0]!.address

const init: InitialState = {
  code: JETTON_MINTER_CODE,
  data: storeStdAddress(beginCell().coins(0n), admin)
    .ref(
      onchainContent({
        name: 'Test USD',
        symbol: 'TUSD',
        decimals: '6',
        description: 'A jetton of the dev network. It is worth nothing.',
      }),
    )
    .ref(JETTON_WALLET_CODE)
    .endCell(),
}

/** The jetton of the dev network; the first wallet is its admin. */
export const TUSD: { address: Address; init: InitialState } = {
  address: { workchain: 0, hash: initCell(init).hash() },
  init,
}

/** The account that holds an owner's TUSD. */
export const tusdWallet = (owner: Address): Address => {
  const data = storeStdAddress(storeStdAddress(beginCell().coins(0n), owner), TUSD.address)
    .ref(JETTON_WALLET_CODE)
    .endCell()
  return { workchain: 0, hash: initCell({ code: JETTON_WALLET_CODE, data }).hash() }
}

/**
 * The admin's order to the minter: new TUSD for an owner.
 * @param amount in units of 10^-6
 * @param forward nano-units that go on to the owner's jetton wallet, for its storage
 */
export const mintBody = (owner: Address, amount: bigint, forward: bigint): Cell => {
  const transfer = beginCell().uint(INTERNAL_TRANSFER, 32).uint(0, 64).coins(amount)
  storeStdAddress(storeStdAddress(transfer, TUSD.address), admin).coins(0n).bit(false)
  return storeStdAddress(beginCell().uint(MINT, 32).uint(0, 64), owner).coins(forward).ref(transfer.endCell()).endCell()
}

/** TEP-74 transfer with a comment; the excess comes back to the sender. Amounts in 10^-6 TUSD and nano-units. */
export const transferBody = (
  from: Address,
  to: Address,
  { amount, forward, comment }: { amount: bigint; forward: bigint; comment: string },
): Cell => {
  const builder = beginCell().uint(JETTON_TRANSFER, 32).uint(0, 64).coins(amount)
  return storeStdAddress(storeStdAddress(builder, to), from)
    .bit(false)
    .coins(forward)
    .bit(true)
    .ref(commentBody(comment))
    .endCell()
}
