import { readComment } from '../../contracts/comment.ts'
import { type JettonTransferBody, readJettonTransfer } from '../../contracts/transfer-bodies.ts'
import type { Transfer } from '../../model/payments.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import { referencesIn } from '../transfer-body.ts'

/** The transfers of one network, looked up by what a payment shows. */
export interface KnownTransfers {
  byBodyHash(hash: Buffer): Transfer | undefined
  byReference(reference: string): Transfer | undefined
}

/** A message whose body names a transfer, and that goes where such a payment must go. What became of it is another thing. */
export interface Claim {
  transfer: Transfer
  /** What a jetton wallet is asked for; undefined for the native coin. */
  jetton: JettonTransferBody | undefined
}

const isPaidTo = ({ recipient, asset }: Transfer, destination: Address | null, isJetton: boolean): boolean =>
  destination !== null && (asset !== null) === isJetton && sameAddress(recipient, destination)

/**
 * The transfer that a message is to pay: the one that was given this body to sign, else the last that its plain text
 * comment names. Its recipient must fit, and whether it asks for jettons; of which jetton they are is not looked at.
 * @param destination of the message
 */
export const claimOf = (body: Cell, destination: Address | null, transfers: KnownTransfers): Claim | undefined => {
  const jetton = readJettonTransfer(body)
  const recipient = jetton ? accountOf(jetton.destination) : destination
  const fits = (transfer: Transfer | undefined): transfer is Transfer =>
    transfer !== undefined && isPaidTo(transfer, recipient, jetton !== undefined)
  const signed = transfers.byBodyHash(body.hash())
  if (fits(signed)) return { transfer: signed, jetton }
  const text = jetton ? jetton.forward_payload : body
  const comment = text ? readComment(text) : undefined
  if (!comment || comment.encrypted) return undefined
  const named = referencesIn(comment.text).map(transfers.byReference).find(fits)
  return named && { transfer: named, jetton }
}
