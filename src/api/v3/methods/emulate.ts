import type { Chain } from '../../../chain/chain.ts'
import { emulateTrace, type TraceQuery } from '../../../chain/emulate-trace.ts'
import { isTonlithError, TonlithError } from '../../../common/errors.ts'
import { exitCodeWords } from '../../../contracts/exit-codes.ts'
import type { EmulatedTrace, Refusal } from '../../../model/emulated-trace.ts'
import { type PendingView, pendingView } from '../../../model/shown-trace.ts'
import type { Cell } from '../../../ton/cell.ts'
import { beginParse } from '../../../ton/slice.ts'
import { loadShardAccount, parseAccount } from '../../../ton/tlb/account.ts'
import { parseMessage } from '../../../ton/tlb/message.ts'
import { parseStateInit } from '../../../ton/tlb/state-init.ts'
import { boc } from '../../v2/cell-param.ts'
import { address, bool, int32 } from '../../v2/param.ts'
import { askWallet } from '../ask-wallet.ts'
import { type EmulatedQuery, emulatedAccounts } from '../emulated-accounts.ts'
import { goJson, goJsonObject } from '../go-json.ts'
import { type Answer, type BodyOf, type CallContext, type PostMethod, post } from '../method.ts'
import { pendingActions, type WrittenAction } from '../pending-actions.ts'
import { pendingTexts } from '../pending-texts.ts'
import { EMULATED_TRACE } from '../schemas.ts'
import { base64, bocText } from '../serialize/scalars.ts'
import { traceTreeText } from '../serialize/traces.ts'
import { tonConnectMessages, validUntil } from '../tonconnect-param.ts'

type Context = CallContext<Chain>

/** Milliseconds of the three seconds of an answer after which what there is by then is written. */
const EMULATION_MS = 2_000

const wish = (description: string) => bool({ description: `${description}; false unless given` })

const refusalError = (refusal: Refusal): TonlithError => {
  const why =
    refusal.reason === 'rejected'
      ? 'no contract took the message: not deployed, frozen, or without money'
      : `the message was not accepted, exit code ${refusal.exit_code}: ${exitCodeWords(refusal.exit_code)}`
  return new TonlithError('unsupported', why, { code: 500 })
}

/** Codes and data of the accounts of a trace as its transactions leave them, by hash. */
const cellsOf = ({ transactions }: EmulatedTrace) => {
  const codes = new Map<string, Cell>()
  const data = new Map<string, Cell>()
  for (const { before, after } of transactions)
    for (const entry of [before, after]) {
      const account = parseAccount(loadShardAccount(beginParse(entry)).account)
      const state = account._ === 'account' ? account.storage.state : undefined
      if (state?._ !== 'account_active') continue
      if (state.code) codes.set(base64(state.code.hash()), state.code)
      if (state.data) data.set(base64(state.data.hash()), state.data)
    }
  return { codes, data }
}

const bagsText = (cells: ReadonlyMap<string, Cell>): string =>
  goJsonObject(Array.from(cells, ([hash, cell]) => [hash, JSON.stringify(bocText(cell))] as const))

/** The trace; throws where the account does not take the message. */
const emulated = async (chain: Chain, query: Parameters<typeof emulateTrace>[1]): Promise<EmulatedTrace> => {
  const trace = await emulateTrace(chain, query)
  if (trace.refusal) throw refusalError(trace.refusal)
  return trace
}

/** What may be in an answer beside the trace. */
const WISHES = {
  with_actions: wish('Adds the actions'),
  include_code_data: wish('Adds codes and data of the accounts, by hash'),
  include_address_book: wish('Adds the address book'),
  include_metadata: wish('Adds what is known of tokens'),
  mc_block_seqno: int32({ optional: true, positive: true, description: 'Masterchain block; the newest one' }),
}

const actionsOf = async (
  { chain, actionsVersion, hasIndex, index: open, writer }: Context,
  view: PendingView,
  at: Omit<EmulatedQuery, 'index'>,
): Promise<readonly WrittenAction[]> => {
  const supported = actionsVersion === undefined ? [] : [actionsVersion]
  const index = hasIndex ? open() : undefined
  const { known } = await emulatedAccounts(chain, view, { ...at, index })
  return pendingActions(view, { supported, index, known, accounts: true, rest: writer.rest })
}

/** Emulates and tells what happened. */
const answerTrace = async (
  context: Context,
  asked: Pick<TraceQuery, 'message' | 'ignore_chksig'>,
  wishes: BodyOf<typeof WISHES>,
): Promise<Answer> => {
  const { chain, writer } = context
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(EMULATION_MS)])
  const trace = await emulated(chain, { ...asked, seqno: wishes.mc_block_seqno, signal })
  await writer.turn()
  const view = pendingView(trace.message, trace)
  const { named, write } = pendingTexts()
  const written: ReturnType<typeof write>[] = []
  for (const record of view.transactions) {
    const each = write(view, record)
    writer.count(each.text)
    written.push(each)
    await writer.rest()
  }
  const nodes = written.map(({ node }) => node)
  const actions = wishes.with_actions
    ? await actionsOf(context, view, { seqno: wishes.mc_block_seqno, signal })
    : undefined
  for (const { addresses } of actions ?? []) for (const each of addresses) named.add(each)
  const parts = [
    `"mc_block_seqno":${trace.block.seqno}`,
    `"trace":${traceTreeText(nodes)}`,
    `"transactions":${goJsonObject(written.map(({ node, text }) => [node.hash, text] as const))}`,
  ]
  if (actions) parts.push(`"actions":[${actions.map(({ text }) => text).join(',')}]`)
  if (wishes.include_code_data) {
    const { codes, data } = cellsOf(trace)
    parts.push(`"code_cells":${bagsText(codes)}`, `"data_cells":${bagsText(data)}`)
  }
  if (wishes.include_address_book) parts.push(`"address_book":${await context.book.of(named)}`)
  if (wishes.include_metadata) parts.push(`"metadata":${await context.metadata.of(named)}`)
  parts.push(`"rand_seed":${goJson(base64(trace.rand_seed))}`, `"is_incomplete":${trace.is_incomplete}`)
  return { text: `{${parts.join(',')}}` }
}

/** Refuses cells that are no message: nobody else is to blame for them. */
const messageIn = (root: Cell): Cell => {
  try {
    const { init } = parseMessage(root)
    if (init) parseStateInit(init)
    return root
  } catch (cause) {
    if (!isTonlithError(cause)) throw cause
    throw new TonlithError('invalid', `boc holds no message: ${cause.message}`, { cause })
  }
}

const BAD_REQUEST = 'invalid request: the text tells why'

const emulateTraceMethod = post({
  name: 'emulateTrace',
  group: 'emulation',
  summary: 'What a message would do, by emulation on the state of the newest masterchain block or of another one',
  body: {
    boc: boc('Message as bag of cells in base64, external or internal'),
    ignore_chksig: wish('Every signature counts as valid'),
    ...WISHES,
  },
  result: EMULATED_TRACE,
  errors: { 400: BAD_REQUEST },
  call: ({ boc: { root }, ignore_chksig = false, ...wishes }, context: Context) =>
    answerTrace(context, { message: messageIn(root), ignore_chksig }, wishes),
})

const emulateTonConnectMethod = post({
  name: 'emulateTonConnect',
  group: 'emulation',
  summary:
    'What a request of TON Connect would do: the wallet (v1 to v5) is asked for its messages, and no signature is needed',
  body: {
    from: address({ description: 'The wallet, any form', label: 'from address' }),
    messages: tonConnectMessages,
    valid_until: validUntil,
    ...WISHES,
  },
  result: EMULATED_TRACE,
  errors: {
    400: BAD_REQUEST,
    404: 'no such account',
    409: 'the account is no wallet that is known, or is not deployed, or takes fewer messages at once',
  },
  call: ({ from, messages, valid_until, ...wishes }, context: Context) =>
    answerTrace(context, { message: askWallet(from, messages, valid_until), ignore_chksig: true }, wishes),
})

/** The methods below /api/emulate/v1 (contracts/v3.md 16). */
export const EMULATE_METHODS: readonly PostMethod<Chain>[] = [emulateTraceMethod, emulateTonConnectMethod]
