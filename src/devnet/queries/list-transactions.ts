import type { Cell } from '../../ton/cell.ts'
import type { LiteRequest } from '../../ton/tl/lite-api.ts'
import type { Bare } from '../../ton/tl/types.ts'
import { blockTransactions, type ListedTransaction } from '../../ton/tlb/account-blocks.ts'
import { parseBlock } from '../../ton/tlb/block.ts'
import { parseBlockExtra } from '../../ton/tlb/block-extra.ts'
import { inMsg } from '../../ton/tlb/in-msg.ts'
import { type MsgMetadata, parseMsgEnvelope } from '../../ton/tlb/msg-envelope.ts'
import { parseTransaction } from '../../ton/tlb/transaction.ts'
import { liteError } from '../lite-error.ts'
import { loadBlock } from '../load.ts'
import { metadataOf } from '../message-metadata.ts'
import { bag, prove } from '../proofs.ts'
import type { Handlers } from '../query.ts'

const MAX_TRANSACTIONS = 256
const WITH_PROOF = 32
const REVERSE = 64
const WITH_METADATA = 256

type ListRequest = Omit<LiteRequest<'liteServer.listBlockTransactions'>, '_'>

interface Page {
  in_msg_descr: Cell
  listed: ListedTransaction[]
  /** The block has no more behind these. */
  complete: boolean
}

/** One page of a block's transactions; opens what leads to them. */
const openPage = (root: Cell, { mode, count, after }: ListRequest): Page => {
  const { in_msg_descr, account_blocks } = parseBlockExtra(parseBlock(root).extra)
  const place = after && { account_addr: after.account, lt: after.lt }
  const rest = blockTransactions(account_blocks, { reverse: (mode & REVERSE) !== 0, ...(place && { after: place }) })
  const most = Math.min(count, MAX_TRANSACTIONS)
  const listed: ListedTransaction[] = []
  while (listed.length < most) {
    const next = rest.next()
    if (next.done) return { in_msg_descr, listed, complete: true }
    listed.push(next.value)
  }
  return { in_msg_descr, listed, complete: false }
}

/** The envelope in which a transaction's message came, where it is one that carries metadata. */
const envelopeOf = (in_msg_descr: Cell, transaction: Cell): Cell | null => {
  const message = parseTransaction(transaction).in_msg
  if (!message) return null
  const entry = inMsg(in_msg_descr, message.hash())
  if (!entry) throw liteError(0, `no InMsg in InMsgDescr for message with hash ${message.hash().toString('hex')}`)
  const carried = ['msg_import_imm', 'msg_import_fin', 'msg_import_deferred_fin'].includes(entry._)
  return carried && 'in_msg' in entry ? entry.in_msg : null
}

const transactionId = (
  { account_addr, lt, cell }: ListedTransaction,
  mode: number,
  metadata: MsgMetadata | null,
): Bare<'liteServer.transactionId'> => ({
  mode: (mode & ~WITH_METADATA) | (metadata ? WITH_METADATA : 0),
  account: account_addr,
  lt: BigInt.asIntN(64, lt),
  hash: cell.hash(),
  ...(metadata && { metadata: metadataOf(metadata) }),
})

export const listTransactions = {
  'liteServer.listBlockTransactions': ({ view }, request) => {
    const { id, mode, count } = request
    const { value, proof } = prove(loadBlock(view, id).root, (root) => {
      const { listed, in_msg_descr, complete } = openPage(root, request)
      const ids = listed.map((transaction) => {
        const envelope = mode & WITH_METADATA ? envelopeOf(in_msg_descr, transaction.cell) : null
        return transactionId(transaction, mode, envelope && parseMsgEnvelope(envelope).metadata)
      })
      return { ids, incomplete: !complete }
    })
    const proofs = { proof: mode & WITH_PROOF ? bag(proof) : bag() }
    return { _: 'liteServer.blockTransactions', id, req_count: count, ...value, ...proofs }
  },
  'liteServer.listBlockTransactionsExt': ({ view }, request) => {
    const { id, mode, count } = request
    const { value, proof } = prove(loadBlock(view, id).root, (root) => {
      const page = openPage(root, request)
      if (mode & WITH_METADATA) for (const { cell } of page.listed) envelopeOf(page.in_msg_descr, cell)?.touch()
      return page
    })
    return {
      _: 'liteServer.blockTransactionsExt',
      id,
      req_count: count,
      incomplete: !value.complete,
      transactions: bag(...value.listed.map(({ cell }) => cell)),
      proof: mode & (WITH_PROOF | WITH_METADATA) ? bag(proof) : bag(),
    }
  },
} satisfies Partial<Handlers>
