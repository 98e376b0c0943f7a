import fc from 'fast-check'

/** An action as `actions` lists it, with include_accounts. */
export interface ListedAction {
  action_id: string
  trace_id: string
  type: string
  success: boolean
  start_lt: string
  end_lt: string
  trace_end_lt: string
  trace_end_utime: number
  trace_mc_seqno_end: number
  trace_external_hash?: string
  transactions: string[]
  accounts: string[]
  details: object
  transactions_full?: { hash: string; lt: string }[]
}

/** A filter as it is asked, and whether it holds of an action. */
export interface ActionQuestion {
  query: string
  holds(action: ListedAction): boolean
}

type Piece = ActionQuestion

/** A transfer of other currencies has a name of its own that cannot be asked for (contracts/v3.md 18). */
const typeOf = ({ type, details }: ListedAction): string =>
  type !== 'extra_currency_transfer' ? type : 'opcode' in details ? 'call_contract' : 'ton_transfer'

const name = (key: string, value: string | number): string => `${key}=${encodeURIComponent(value)}`

/** Pieces of filters about one action: each lets it through, or lets it not. */
const piecesOf = (about: ListedAction, other: ListedAction): Piece[] => {
  const [one, two] = [typeOf(about), typeOf(other)]
  const [account] = about.accounts
  const [transaction] = other.transactions
  return [
    ...(account ? [{ query: name('account', account), holds: (a: ListedAction) => a.accounts.includes(account) }] : []),
    ...(transaction
      ? [{ query: name('tx_hash', transaction), holds: (a: ListedAction) => a.transactions.includes(transaction) }]
      : []),
    {
      query: `${name('action_id', about.action_id)}&${name('action_id', other.action_id)}`,
      holds: (a) => a.action_id === about.action_id || a.action_id === other.action_id,
    },
    { query: name('trace_id', about.trace_id), holds: (a) => a.trace_id === about.trace_id },
    { query: name('action_type', two), holds: (a) => typeOf(a) === two },
    {
      query: name('action_type', `${one},${two}`),
      holds: (a) => typeOf(a) === one || typeOf(a) === two,
    },
    {
      query: name('exclude_action_type', `${two},call_contract`),
      holds: (a) => typeOf(a) !== two && typeOf(a) !== 'call_contract',
    },
    {
      query: name('mc_seqno', about.trace_mc_seqno_end),
      holds: (a) => a.trace_mc_seqno_end === about.trace_mc_seqno_end,
    },
    { query: name('start_utime', other.trace_end_utime), holds: (a) => a.trace_end_utime >= other.trace_end_utime },
    { query: name('end_utime', about.trace_end_utime), holds: (a) => a.trace_end_utime <= about.trace_end_utime },
    { query: name('start_lt', other.trace_end_lt), holds: (a) => BigInt(a.trace_end_lt) >= BigInt(other.trace_end_lt) },
    { query: name('end_lt', about.trace_end_lt), holds: (a) => BigInt(a.trace_end_lt) <= BigInt(about.trace_end_lt) },
  ]
}

const keyOf = ({ query }: Piece): string => query.split('=')[0]!

/** Up to four filters at a time about the actions of a list, no name twice. */
export const actionQuestions = (all: readonly ListedAction[]): fc.Arbitrary<ActionQuestion> =>
  fc
    .tuple(
      fc.integer({ min: 0, max: all.length - 1 }),
      fc.integer({ min: 0, max: all.length - 1 }),
      fc.boolean(),
      fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 4 }),
    )
    .map(([i, j, isAboutOne, chosen]) => {
      const pieces = piecesOf(all[i]!, all[isAboutOne ? i : j]!)
      const named = new Map(chosen.map((at) => pieces[at % pieces.length]!).map((piece) => [keyOf(piece), piece]))
      const parts = [...named.values()]
      return {
        query: parts.map(({ query }) => query).join('&'),
        holds: (action) => parts.every(({ holds }) => holds(action)),
      }
    })

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order within a list, but for traces that end at the same lt: by the trace's end, the action's, its id. */
export const inListOrder = (a: ListedAction, b: ListedAction): number =>
  compare(BigInt(a.trace_end_lt), BigInt(b.trace_end_lt)) ||
  (a.trace_id === b.trace_id
    ? compare(BigInt(a.end_lt), BigInt(b.end_lt)) ||
      Buffer.from(a.action_id, 'base64').compare(Buffer.from(b.action_id, 'base64'))
    : 0)
