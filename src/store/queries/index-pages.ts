import type {
  EntityRecord,
  JettonBurnFilter,
  JettonTransferFilter,
  JettonTransferRecord,
  JettonWalletFilter,
  NftItemFilter,
  NftItemRecord,
  NftTransferFilter,
  NftTransferRecord,
} from '../../model/entity-records.ts'
import type {
  ActionFilter,
  ActionRecord,
  BlockFilter,
  BlockRecord,
  MessageFilter,
  MessageRecord,
  SortOrder,
  TraceFilter,
  TraceRecord,
  TransactionFilter,
  TransactionRecord,
  TransactionsByMessageFilter,
} from '../../model/index-records.ts'
import { actionPages } from './actions.ts'
import { blockPages } from './blocks.ts'
import { pagesByMessage } from './by-message.ts'
import { jettonWalletPages } from './jettons.ts'
import { messagePages } from './messages.ts'
import { nftItemPages } from './nfts.ts'
import type { Pages } from './paging.ts'
import { tracePages } from './traces.ts'
import type { Source } from './transaction-rows.ts'
import { transactionPages } from './transactions.ts'
import { jettonBurnPages, jettonTransferPages, nftTransferPages } from './transfers.ts'

/**
 * The lists of IndexReader and EntityReader page by page, in steps between which others have their turn: a client that
 * asks for much keeps nobody waiting. What hashes and addresses lead to is looked up once for all pages.
 */
export interface IndexPages {
  blocks(filter: BlockFilter, sort: SortOrder): Pages<BlockRecord>
  transactions(filter: TransactionFilter, sort: SortOrder): Pages<TransactionRecord>
  transactionsByMessage(filter: TransactionsByMessageFilter, sort: SortOrder): Pages<TransactionRecord>
  messages(filter: MessageFilter, sort: SortOrder): Pages<MessageRecord>
  traces(filter: TraceFilter, sort: SortOrder): Pages<TraceRecord>
  actions(filter: ActionFilter, sort: SortOrder): Pages<ActionRecord>
  jettonWallets(filter: JettonWalletFilter, sort: SortOrder): Pages<EntityRecord<'jetton_wallet'>>
  jettonTransfers(filter: JettonTransferFilter, sort: SortOrder): Pages<JettonTransferRecord>
  jettonBurns(filter: JettonBurnFilter, sort: SortOrder): Pages<JettonTransferRecord>
  nftItems(filter: NftItemFilter): Pages<NftItemRecord>
  nftTransfers(filter: NftTransferFilter, sort: SortOrder): Pages<NftTransferRecord>
}

/** True for what may be the seqno of a block, or is not asked for. */
export const isSeqno = (seqno: number | undefined): boolean =>
  seqno === undefined || (Number.isInteger(seqno) && seqno >= 0 && seqno <= 0xffffffff)

/** No pages. */
// biome-ignore lint/correctness/useYield: there is nothing to do in steps
const noPages: Pages<never> = function* () {
  return { records: [], next: null }
}

/** The lists of an index. */
export const openIndexPages = (index: Source): IndexPages => ({
  blocks: (filter, sort) => (isSeqno(filter.mc_seqno) ? blockPages(index.tables, filter, sort) : noPages),
  transactions: (filter, sort) => (isSeqno(filter.mc_seqno) ? transactionPages(index, filter, sort) : noPages),
  transactionsByMessage: (filter, sort) => pagesByMessage(index, filter, sort),
  messages: (filter, sort) => messagePages(index, filter, sort),
  traces: (filter, sort) => (isSeqno(filter.mc_seqno) ? tracePages(index, filter, sort) : noPages),
  actions: (filter, sort) => (isSeqno(filter.mc_seqno) ? actionPages(index, filter, sort) : noPages),
  jettonWallets: (filter, sort) => jettonWalletPages(index, filter, sort),
  jettonTransfers: (filter, sort) => jettonTransferPages(index, filter, sort),
  jettonBurns: (filter, sort) => jettonBurnPages(index, filter, sort),
  nftItems: (filter) => nftItemPages(index, filter),
  nftTransfers: (filter, sort) => nftTransferPages(index, filter, sort),
})
