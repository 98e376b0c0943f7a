import {
  JETTON_BURN,
  JETTON_TRANSFER,
  NFT_TRANSFER,
  readJettonBurn,
  readJettonTransfer,
  readNftTransfer,
} from '../contracts/transfer-bodies.ts'
import type { Batch, BatchTransaction } from '../model/batch.ts'
import type { BatchTransfer, DetectedAccount, EntityKind, EntityOf } from '../model/entities.ts'
import { storedEntity } from '../store/entity-rows.ts'
import type { IndexStore } from '../store/index-store.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { parseMessage } from '../ton/tlb/message.ts'
import { accountOf } from '../ton/tlb/msg-address.ts'
import { parseTransaction } from '../ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../ton/tlb/transaction-descr.ts'

/** What an account was in the batch: as it was just detected, else as it was known before, also when it is gone now. */
const rolesOf = (store: IndexStore, detected: readonly DetectedAccount[] = []) => {
  const now = new Map(detected.map((account) => [rawAddress(account.address), account]))
  return <K extends EntityKind>(kind: K, account: Address): EntityOf<K> | undefined => {
    const entity = now.get(rawAddress(account))?.entities.find(({ _ }) => _ === kind)
    return (entity as EntityOf<K> | undefined) ?? storedEntity(store, kind, account)?.entity
  }
}

/** In_msg's body of a transaction and how the transaction ended; undefined where it has none. */
const openTransaction = (cell: Cell): { body: Cell; aborted: boolean; isOrdinary: boolean } | undefined => {
  const { in_msg, description } = parseTransaction(cell)
  if (!in_msg) return undefined
  const descr = parseTransactionDescr(description)
  return {
    body: parseMessage(in_msg).body,
    aborted: 'aborted' in descr && descr.aborted,
    isOrdinary: descr._ === 'trans_ord',
  }
}

/**
 * The transfers and burns that the transactions of a batch asked for, of accounts with that role: those that `batch.detected`
 * and the store know (contracts/v3.md 13). A transfer is what the sender's side was told to do; `aborted` tells what became of it.
 */
export const batchTransfers = (
  store: IndexStore,
  { transactions, detected }: Pick<Batch, 'transactions' | 'detected'>,
): BatchTransfer[] => {
  const role = rolesOf(store, detected)

  const jettonTransfer = ({ account, in_msg, cell }: BatchTransaction, transaction: number): BatchTransfer[] => {
    const wallet = role('jetton_wallet', account)
    const opened = wallet && openTransaction(cell)
    if (!wallet || !opened?.isOrdinary) return []
    const of = { transaction, aborted: opened.aborted, jetton_wallet: account, jetton_master: wallet.jetton }
    const asker = in_msg?.source ?? null
    const transfer = readJettonTransfer(opened.body)
    if (transfer) return [{ _: 'jetton_transfer', ...of, source: asker, destination: accountOf(transfer.destination) }]
    return readJettonBurn(opened.body) ? [{ _: 'jetton_burn', ...of, owner: asker }] : []
  }

  const nftTransfer = ({ account, in_msg, cell }: BatchTransaction, transaction: number): BatchTransfer[] => {
    const item = role('nft_item', account)
    const opened = item && openTransaction(cell)
    const transfer = opened?.isOrdinary ? readNftTransfer(opened.body) : undefined
    if (!item || !opened || !transfer) return []
    return [
      {
        _: 'nft_transfer',
        transaction,
        aborted: opened.aborted,
        old_owner: in_msg?.source ?? null,
        new_owner: accountOf(transfer.new_owner),
        nft_item: account,
        nft_collection: item.collection_address,
      },
    ]
  }

  return transactions.flatMap((one, place) => {
    switch (one.in_msg?.opcode) {
      case JETTON_TRANSFER:
      case JETTON_BURN:
        return jettonTransfer(one, place)
      case NFT_TRANSFER:
        return nftTransfer(one, place)
    }
    return []
  })
}
