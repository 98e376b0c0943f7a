import { readJettonBurn, readJettonTransfer, readNftTransfer } from '../../../contracts/transfer-bodies.ts'
import type { JettonTransferRecord, NftTransferRecord } from '../../../model/entity-records.ts'
import type { TransactionRecord } from '../../../model/index-records.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import type { Cell } from '../../../ton/cell.ts'
import { parseMessage } from '../../../ton/tlb/message.ts'
import { accountOf } from '../../../ton/tlb/msg-address.ts'
import { malformed } from '../../../ton/tlb/tag.ts'
import { parseTransaction } from '../../../ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../../ton/tlb/transaction-descr.ts'
import type { Row } from '../row-page.ts'
import { decodedBody } from './decoded-body.ts'
import { addressOrNull, base64, bocOrNull, msgAddressText } from './scalars.ts'

/** What a transaction did to ask for a transfer: who asked, and with which body. Throws `malformed`. */
const readAsked = <T>(record: TransactionRecord, read: (body: Cell) => T | undefined, what: string) => {
  const transaction = parseTransaction(record.cell)
  const message = transaction.in_msg && parseMessage(transaction.in_msg)
  const body = message && read(message.body)
  if (!message || !body) throw malformed(what)
  const descr = parseTransactionDescr(transaction.description)
  return {
    body,
    sender: addressOrNull(accountOf(message.info.src)),
    transaction: {
      transaction_hash: base64(record.id.hash),
      transaction_lt: String(record.id.lt),
      transaction_now: record.now,
      transaction_aborted: 'aborted' in descr && descr.aborted,
    },
    trace_id: base64(record.trace_id),
  }
}

/** JettonTransfer of contracts/v3.md 5.7, of the transaction of the sender's wallet. Throws `malformed`. */
export const jettonTransfer = ({ transaction: record, jetton_master }: JettonTransferRecord): Row => {
  const { body, sender, transaction, trace_id } = readAsked(record, readJettonTransfer, 'jetton transfer')
  const destination = msgAddressText(body.destination)
  const source_wallet = rawAddressUpper(record.account)
  const master = rawAddressUpper(jetton_master)
  const response_destination = msgAddressText(body.response_destination)
  return {
    wire: {
      query_id: String(body.query_id),
      source: sender,
      destination,
      amount: String(body.amount),
      source_wallet,
      jetton_master: master,
      ...transaction,
      response_destination,
      custom_payload: bocOrNull(body.custom_payload),
      decoded_custom_payload: decodedBody(body.custom_payload),
      forward_ton_amount: String(body.forward_ton_amount),
      forward_payload: bocOrNull(body.forward_payload),
      decoded_forward_payload: decodedBody(body.forward_payload),
      trace_id,
    },
    addresses: [sender, destination, source_wallet, master, response_destination],
  }
}

/** JettonBurn of contracts/v3.md 5.7. Throws `malformed`. */
export const jettonBurn = ({ transaction: record, jetton_master }: JettonTransferRecord): Row => {
  const { body, sender, transaction, trace_id } = readAsked(record, readJettonBurn, 'jetton burn')
  const jetton_wallet = rawAddressUpper(record.account)
  const master = rawAddressUpper(jetton_master)
  const response_destination = msgAddressText(body.response_destination)
  return {
    wire: {
      query_id: String(body.query_id),
      owner: sender,
      jetton_wallet,
      jetton_master: master,
      ...transaction,
      amount: String(body.amount),
      response_destination,
      custom_payload: bocOrNull(body.custom_payload),
      decoded_custom_payload: decodedBody(body.custom_payload),
      trace_id,
    },
    addresses: [sender, jetton_wallet, master, response_destination],
  }
}

/** NFTTransfer of contracts/v3.md 5.8, of the item's transaction. Throws `malformed`. */
export const nftTransfer = ({ transaction: record, nft_collection }: NftTransferRecord): Row => {
  const { body, sender, transaction, trace_id } = readAsked(record, readNftTransfer, 'NFT transfer')
  const nft_address = rawAddressUpper(record.account)
  const collection = addressOrNull(nft_collection)
  const new_owner = msgAddressText(body.new_owner)
  const response_destination = msgAddressText(body.response_destination)
  return {
    wire: {
      query_id: String(body.query_id),
      nft_address,
      nft_collection: collection ?? '',
      ...transaction,
      old_owner: sender,
      new_owner,
      response_destination,
      custom_payload: bocOrNull(body.custom_payload),
      decoded_custom_payload: decodedBody(body.custom_payload),
      forward_amount: String(body.forward_amount),
      forward_payload: bocOrNull(body.forward_payload),
      decoded_forward_payload: decodedBody(body.forward_payload),
      trace_id,
    },
    addresses: [nft_address, collection, sender, new_owner, response_destination],
  }
}
