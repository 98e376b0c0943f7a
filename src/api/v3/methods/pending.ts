import type { Chain } from '../../../chain/chain.ts'
import type { PendingTrace } from '../../../chain/pending-traces.ts'
import { TonlithError } from '../../../common/errors.ts'
import type { ShownTransaction } from '../../../model/shown-trace.ts'
import { type Address, sameAddress } from '../../../ton/address.ts'
import { parseTransaction } from '../../../ton/tlb/transaction.ts'
import { INCLUDE_TRANSACTIONS, SUPPORTED_TYPES } from '../action-params.ts'
import { lookSignal, pendingAccounts } from '../emulated-accounts.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { address, addresses, flag, hashes, refusal } from '../param.ts'
import { type PendingActionsOptions, pendingActions, type WrittenAction } from '../pending-actions.ts'
import { realTrace, type Selector, selectPending, selectUnsettled, takingIndex, whenWhole } from '../pending-list.ts'
import { pendingTexts } from '../pending-texts.ts'
import { bookField, namesFields } from '../row-page.ts'
import { ACTIONS, PENDING_TRACES, PENDING_TRANSACTIONS } from '../schemas.ts'
import { traceText } from '../serialize/traces.ts'

type Context = CallContext<Chain>

const SELECTED = {
  account: address({ description: 'An account that has a transaction in it, or that the message is sent to' }),
  ext_msg_hash: hashes({ description: 'Begun by any of these external messages, normalised or not' }),
  supported_action_types: SUPPORTED_TYPES,
} as const

interface Selected {
  account: Address | undefined
  ext_msg_hash: readonly Buffer[]
}

const selectorOf = ({ account, ext_msg_hash }: Selected): Selector => (account ? { account } : { hashes: ext_msg_hash })

const validate = ({ account, ext_msg_hash }: Selected): void => {
  if (!account && ext_msg_hash.length === 0) throw refusal('account or ext_msg_hash should be specified')
}

const actionsOf = async (
  { view }: PendingTrace,
  options: Omit<PendingActionsOptions, 'index' | 'known' | 'rest'>,
  context: Context,
  { named, signal }: { named: Set<string>; signal: AbortSignal },
): Promise<readonly WrittenAction[]> => {
  const { actionsVersion, chain, writer } = context
  const supported = actionsVersion === undefined ? options.supported : [actionsVersion]
  const index = context.hasIndex ? context.index() : undefined
  const known = await pendingAccounts(chain, view, { index, signal })
  const actions = await pendingActions(view, { ...options, supported, index, known, rest: writer.rest })
  for (const { addresses } of actions) for (const each of addresses) named.add(each)
  return actions
}

const pendingTraces = get({
  name: 'pendingTraces',
  group: 'blockchain',
  summary:
    'What external messages that were sent through this gateway are going to do, by emulation, until the index has their traces; the newest first',
  params: {
    ...SELECTED,
    include_actions: flag(true, { description: 'Whether the actions are told; wallets send it' }),
  },
  needsIndex: false,
  result: PENDING_TRACES,
  validate,
  call: async (values, context: Context) => {
    const { writer } = context
    const supported = values.supported_action_types
    const found = await selectUnsettled(context, selectorOf(values))
    const { named, write } = pendingTexts()
    const signal = lookSignal(context.signal)
    const texts = async function* () {
      for (const pending of found) {
        const { view } = pending
        const written: ReturnType<typeof write>[] = []
        for (const record of view.transactions) {
          written.push(write(view, record))
          await writer.rest()
        }
        const transactions = { nodes: written.map(({ node }) => node), texts: written.map((each) => each.text) }
        const actions = values.include_actions
          ? await actionsOf(pending, { supported }, context, { named, signal })
          : undefined
        const told = actions && { texts: actions.map((each) => each.text), state: 'ok' as const }
        yield traceText(view.trace, { ...transactions, actions: told })
      }
    }
    const text = await writer.list(texts(), (trace) => trace)
    return { text: `{"traces":${text},${await namesFields(context, named)}}` }
  },
})

const lastFirst = (a: WrittenAction, b: WrittenAction): number =>
  a.end_lt > b.end_lt ? -1 : a.end_lt < b.end_lt ? 1 : 0

const pendingActionsMethod = get({
  name: 'pendingActions',
  group: 'blockchain',
  summary:
    'The actions of pendingTraces, and of those that go on in traces, until actions has them; by the end of their trace and their own end, the last first',
  params: {
    ...SELECTED,
    include_transactions: INCLUDE_TRANSACTIONS,
  },
  needsIndex: false,
  result: ACTIONS,
  validate,
  call: async (values, context: Context) => {
    const found = await selectUnsettled(context, selectorOf(values), whenWhole)
    const { named, write } = pendingTexts()
    const supported = values.supported_action_types
    const signal = lookSignal(context.signal)
    const texts = async function* () {
      for (const pending of found.toSorted((a, b) => (a.view.trace.end_lt > b.view.trace.end_lt ? -1 : 1))) {
        const transactionText = (record: ShownTransaction): string => write(pending.view, record).text
        const options = values.include_transactions ? { supported, transactionText } : { supported }
        const actions = await actionsOf(pending, options, context, { named, signal })
        for (const { text } of actions.toReversed().sort(lastFirst)) yield text
      }
    }
    const text = await context.writer.list(texts(), (action) => action)
    return { text: `{"actions":${text},${await namesFields(context, named)}}` }
  },
})

const isIn = (accounts: readonly Address[], { account }: ShownTransaction): boolean =>
  accounts.some((each) => sameAddress(each, account))

const pendingTransactions = get({
  name: 'pendingTransactions',
  group: 'blockchain',
  summary: 'Transactions of accounts in pending traces that have not happened yet, by emulation',
  params: {
    account: addresses({ description: 'Any of these accounts' }),
    trace_id: hashes({ description: 'Of traces with any of these ids, or begun by one of these external messages' }),
  },
  needsIndex: false,
  result: PENDING_TRANSACTIONS,
  errors: { 404: 'emulated traces not found' },
  validate: ({ account }) => {
    if (account.length === 0) throw refusal('at least 1 account address required')
  },
  call: async ({ account, trace_id }, context: Context) => {
    const { chain, writer } = context
    const selected = await Promise.all(account.map((each) => selectPending(context, { account: each })))
    const found = [...new Set(selected.flat())].filter((each) => !chain.pending?.isOver(each))
    if (found.length === 0) throw new TonlithError('notFound', 'emulated traces not found')
    const named = ({ view, hash, hash_norm }: PendingTrace): boolean =>
      trace_id.length === 0 ||
      trace_id.some((id) => [hash, hash_norm, view.trace.root_hash].some((each) => each?.equals(id)))
    const index = takingIndex(context)
    /** True where the index has the transaction that took its message. */
    const isReal = ({ cell }: ShownTransaction): boolean => {
      const { in_msg } = parseTransaction(cell)
      if (!index || !in_msg) return false
      const filter = { msg_hashes: [in_msg.hash()], direction: 'in' } as const
      return index.transactionsByMessage(filter, { limit: 1, offset: 0, sort: 'asc' }).records.length > 0
    }
    const open = found.filter((each) => named(each) && !(index && realTrace(index, each)?.state === 'complete'))
    const rows = open.flatMap(({ view }) =>
      view.transactions
        .filter((record) => record.emulated && isIn(account, record) && !isReal(record))
        .map((record) => ({ view, record })),
    )
    const texts = pendingTexts()
    const text = await writer.list(rows, ({ view, record }) => texts.write(view, record).text)
    return { text: `{"transactions":${text},${await bookField(context, texts.named)}}` }
  },
})

/** Methods that tell of what has not happened yet (contracts/v3.md 4.2, 4.5, 16). */
export const pendingMethods: readonly GetMethod<Chain>[] = [pendingTraces, pendingActionsMethod, pendingTransactions]
