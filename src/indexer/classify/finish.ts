import { hash } from 'node:crypto'
import { bytesKey } from '../../common/bytes-key.ts'
import { compareBytes } from '../../common/compare-bytes.ts'
import type { Steps } from '../../common/steps.ts'
import type { Action, ActionType } from '../../model/action.ts'
import { type Address, compareAddresses } from '../../ton/address.ts'
import { sentLt, type TraceNode } from './node.ts'
import { type Part, spanOf } from './part.ts'
import { isStep } from './step.ts'

/**
 * What clients know that know the least: their parts are not shown. Actions of other types are shown to those who do not
 * know them as their parts.
 */
const WHOLE: ReadonlySet<string> = new Set<string>([
  'call_contract',
  'contract_deploy',
  'ton_transfer',
  'tick_tock',
  'unknown',
  'jetton_transfer',
  'jetton_burn',
  'jetton_mint',
  'jetton_swap',
  'nft_mint',
  'nft_transfer',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'dex_deposit_liquidity',
  'dex_withdraw_liquidity',
  'change_dns',
  'delete_dns',
  'renew_dns',
  'subscribe',
  'unsubscribe',
  'election_deposit',
  'election_recover',
  'auction_bid',
])

const nameOf = ({ message, transaction }: TraceNode): Buffer => message?.hash ?? transaction.hash

const earliest = (nodes: readonly TraceNode[]): TraceNode =>
  nodes.reduce((first, node) => (sentLt(node) < sentLt(first) ? node : first))

/** sha256 of the base64 text of the earliest message's hash and the name (contracts/v3.md 5.6). */
export const actionId = (message: Buffer, btype: string): Buffer =>
  hash('sha256', message.toString('base64') + btype, 'buffer')

/** Each once, in the order that `compare` gives them. Sorts the list that it is given. */
const distinct = <T>(list: T[], compare: (a: T, b: T) => number): T[] => {
  if (list.length < 2) return list
  return list.sort(compare).filter((one, i, all) => i === 0 || compare(all[i - 1]!, one) !== 0)
}

/** Each once, ascending. */
export const distinctHashes = (hashes: readonly Buffer[]): Buffer[] => distinct([...hashes], compareBytes)

/** Each once, ascending by workchain and account. */
export const distinctAccounts = (accounts: readonly (Address | null | undefined)[]): Address[] => {
  const some: Address[] = []
  for (const one of accounts) if (one && one !== some.at(-1)) some.push(one)
  return distinct(some, compareAddresses)
}

const isGhost = (part: Part): boolean => part.nodes.some(({ ghost }) => ghost)

const accountsOf = (part: Part): Address[] => {
  const { source, source_secondary, destination, destination_secondary } = part.columns
  return distinctAccounts([
    ...part.nodes.map(({ transaction }) => transaction.account),
    part.initiator?.transaction.account,
    source,
    source_secondary,
    ...(isGhost(part) ? [] : [destination, destination_secondary]),
    ...(part.feeds ?? []),
  ])
}

/** Externals and logs are shown as part of what they caused or what caused them. */
const isShown = ({ btype, content, nodes }: Part): boolean =>
  content !== null && (btype !== 'call_contract' || nodes[0]?.message?.kind === 'internal')

type Place = Pick<Action, 'ancestor_type' | 'parent_action_id'>

const actionOf = (part: Part, content: Action['content'], place: Place): Action => ({
  action_id: actionId(nameOf(earliest(part.nodes)), part.btype),
  content,
  columns: part.columns,
  success: !part.failed,
  ...spanOf(part.nodes),
  transactions: distinctHashes(
    [...part.nodes, part.initiator].flatMap((node) => (node ? [node.transaction.hash] : [])),
  ),
  accounts: accountsOf(part),
  ...place,
})

const TOP: Place = { ancestor_type: [], parent_action_id: null }

/** Deployments that a part was made with, at any depth. */
const deploymentsIn = (parts: readonly Part[]): Part[] => {
  const found: Part[] = []
  const queue = [...parts]
  for (let i = 0; i < queue.length; i++) {
    for (const piece of queue[i]!.pieces) (piece.btype === 'contract_deploy' ? found : queue).push(piece)
  }
  return found
}

/**
 * The actions of the parts: each but what is no action; the deployments of all; and of those that not every client knows
 * their pieces as well, marked with what they are pieces of.
 */
export function* actionsOf(parts: readonly Part[]): Steps<Action[]> {
  const actions: Action[] = []
  const ids = new Set<string>()
  const waiting = [...parts, ...deploymentsIn(parts)].map((part) => ({ part, place: TOP }))
  for (let i = 0; i < waiting.length; i++) {
    if (isStep(i)) yield
    const { part, place } = waiting[i]!
    if (!isShown(part) || !part.content) continue
    const action = actionOf(part, part.content, place)
    const id = bytesKey(action.action_id)
    if (ids.has(id)) continue
    ids.add(id)
    actions.push(action)
    if (WHOLE.has(part.content.type)) continue
    const ancestor_type: ActionType[] = [...new Set([...place.ancestor_type, part.content.type])]
    const pieces = part.pieces.filter(({ btype }) => btype !== 'contract_deploy')
    for (const piece of pieces)
      waiting.push({ part: piece, place: { ancestor_type, parent_action_id: action.action_id } })
  }
  return actions
}
