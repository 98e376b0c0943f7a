import type { ChainBlock } from '../../src/devnet/chain.ts'
import { rawAddress } from '../../src/ton/address.ts'
import { blockTransactions, type ListedTransaction } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { recordedChain } from './recorded-chain.ts'
import { recordedMessages } from './recorded-messages.ts'

type Params = Record<string, string | number | bigint>

const path = (method: string, params: Params = {}): string =>
  `/api/v2/${method}?${new URLSearchParams(Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]))}`

const transactionsOf = ({ root }: ChainBlock): ListedTransaction[] => [
  ...blockTransactions(parseBlockExtra(parseBlock(root).extra).account_blocks),
]

/** A block with several accounts and transactions, and these. */
const fullBlock = (blocks: readonly ChainBlock[]): { block: ChainBlock; transactions: ListedTransaction[] } =>
  blocks
    .map((block) => ({ block, transactions: transactionsOf(block) }))
    .find(({ transactions }) => transactions.length > 20 && transactions.length < 30)!

const hex = (bytes: Buffer): string => bytes.toString('hex')

/** Of a stablecoin's wallets. */
const LIBRARY = '8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68'

/** A message that went from one shard to the other. */
const lateMessage = (): { source: string; destination: string; created_lt: bigint } => {
  const { source, destination, created_lt } = recordedMessages().find(
    ({ sender, receiver }) => sender && receiver && sender.block.id.shard === -receiver.block.id.shard,
  )!
  return { source: rawAddress(source), destination: rawAddress(destination), created_lt }
}

/** The questions that API v2 answers from a liteserver, each for several kinds of answers, in reach of a head. */
export const readQuestions = (head: number): string[] => {
  const chain = recordedChain()
  const known = [...chain.shards(0).values()].flat().filter(({ mc_seqno }) => mc_seqno <= head)
  const { block, transactions } = fullBlock(known)
  const shardOf = ({ id }: ChainBlock): Params => ({ workchain: id.workchain, shard: id.shard })
  const place = (of: ChainBlock): Params => ({ ...shardOf(of), seqno: of.id.seqno })
  const hashes = ({ id }: ChainBlock): Params => ({ root_hash: hex(id.root_hash), file_hash: hex(id.file_hash) })
  const half = known.filter(({ id }) => id.shard === 0x4000000000000000n)
  const [late, later] = half.slice(-40)
  const master = chain.masterchain(head - 30)!
  const other = chain.masterchain(head - 31)!
  const middle = transactions[9]!

  const busy = transactionsOf(half.filter((each) => transactionsOf(each).length > 0).at(-1)!).at(-1)!
  const account = `0:${hex(busy.account_addr)}`
  const elector = `-1:${'3'.repeat(64)}`
  const message = lateMessage()
  const nobody = `0:${'a5'.repeat(32)}`
  const lists = ['getBlockTransactions', 'getBlockTransactionsExt']
  return [
    path('getMasterchainInfo'),
    path('getAddressInformation', { address: account }),
    path('getAddressInformation', { address: elector, seqno: head - 300 }),
    path('getAddressInformation', { address: nobody }),
    path('getAddressInformation', { address: `7:${'a5'.repeat(32)}` }),
    path('getExtendedAddressInformation', { address: account }),
    path('getExtendedAddressInformation', { address: elector }),
    path('getWalletInformation', { address: account }),
    path('getShardAccountCell', { address: account }),
    path('getShardAccountCell', { address: nobody, seqno: head - 5 }),
    path('getAddressBalance', { address: account, seqno: head - 2 }),
    path('getAddressState', { address: account }),
    path('getShards', { seqno: head }),
    path('getOutMsgQueueSize'),
    path('getMasterchainBlockSignatures', {
      seqno: [...chain.signed].filter((seqno) => seqno < head).at(-1)!,
    }),
    path('getShardBlockProof', place(late!)),
    path('getShardBlockProof', { ...place(late!), from_seqno: head - 3 }),
    path('getShardBlockProof', { ...place(master), from_seqno: master.id.seqno }),
    path('shards', { seqno: head - 40 }),
    path('lookupBlock', place(master)),
    path('lookupBlock', place(late!)),
    ...[master, late!].flatMap((each) => [
      path('lookupBlock', { ...shardOf(each), lt: each.info.start_lt + 1n }),
      path('lookupBlock', { ...shardOf(each), unixtime: each.info.gen_utime }),
    ]),
    path('lookupBlock', { workchain: 0, shard: -(1n << 63n), seqno: later!.id.seqno }),
    path('getBlockHeader', place(later!)),
    ...[master, late!].flatMap((each) => [
      path('getBlockHeader', { ...place(each), ...hashes(each) }),
      path('getBlockHeader', { ...place(each), ...hashes(each), file_hash: hex(other.id.file_hash) }),
      path('getBlockHeader', { ...place(each), ...hashes(each), seqno: each.id.seqno - 1 }),
    ]),
    ...lists.flatMap((method) => [
      path(method, { ...place(block), count: 12 }),
      path(method, { ...place(block), count: 200 }),
      path(method, { ...place(block), after_lt: middle.lt, after_hash: hex(middle.account_addr), count: 5 }),
      path(method, { ...place(block), count: transactions.length }),
      path(method, { ...place(master), ...hashes(master) }),
    ]),
    ...['getTransactions', 'getTransactionsStd'].flatMap((method) => [
      path(method, { address: account, limit: 5 }),
      path(method, { address: elector, limit: 20 }),
      path(method, { address: account, lt: busy.lt, hash: hex(busy.cell.hash()), limit: 3 }),
    ]),
    path('getTransactions', { address: nobody }),
    ...['tryLocateTx', 'tryLocateSourceTx'].flatMap((method) => [
      path(method, message),
      path(method, { ...message, created_lt: message.created_lt + 1n }),
    ]),
    path('getLibraries', { libraries: LIBRARY }),
    path('getLibraries', { libraries: 'a5'.repeat(32) }),
    path('getConfigParam', { param: 34 }),
    path('getConfigParam', { param: 15, seqno: head - 10 }),
    path('getConfigAll'),
  ]
}
