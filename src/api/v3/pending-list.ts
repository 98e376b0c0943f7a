import type { Chain } from '../../chain/chain.ts'
import type { PendingTrace } from '../../chain/pending-traces.ts'
import type { TraceRecord } from '../../model/index-records.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import type { Address } from '../../ton/address.ts'
import type { CallContext } from './method.ts'

type Context = CallContext<Chain>

/** Which pending traces: of an account, or with one of these external messages, by hash or normalised hash. */
export type Selector = { account: Address } | { hashes: readonly Buffer[] }

/** Of one account or one answer. */
const MOST = 1_000
/** Milliseconds that an answer waits for traces that are just being emulated. */
const WAIT_MS = 2_000

const find = ({ chain }: Context, selector: Selector): PendingTrace[] => {
  const { pending } = chain
  if (!pending) return []
  const found =
    'account' in selector
      ? pending.byAccount(selector.account)
      : selector.hashes.map((hash) => pending.byHash(hash)).filter((each) => each !== undefined)
  return [...new Set(found)].sort((a, b) => b.sentAt - a.sentAt).slice(0, MOST)
}

const untilReady = async (found: readonly PendingTrace[]): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS)
  })
  await Promise.race([Promise.all(found.map(({ ready }) => ready)), late])
  clearTimeout(timer)
}

/** The index that takes over from what is pending: one that all traces come to. */
export const takingIndex = (context: Context): IndexReader | undefined => {
  const index = context.hasIndex ? context.index() : undefined
  return index?.isOfChosen() ? undefined : index
}

/** The real trace of an external message in the index, where it is there. */
export const realTrace = (
  index: IndexReader,
  { hash_norm }: Pick<PendingTrace, 'hash_norm'>,
): TraceRecord | undefined => index.traces({ msg_hashes: [hash_norm] }, { limit: 1, offset: 0, sort: 'asc' }).records[0]

/** The pending traces of a selector, once they were emulated, the newest first; also those that the index has. */
export const selectPending = async (context: Context, selector: Selector): Promise<PendingTrace[]> => {
  await untilReady(find(context, selector))
  return find(context, selector)
}

/** Whether the real trace tells what the pending one tells. */
type TakesOver = (real: TraceRecord) => boolean

const alsoUnderWay: TakesOver = () => true

/** Lists of actions tell of whole traces only. */
export const whenWhole: TakesOver = ({ state }) => state !== 'pending'

/**
 * Those of them whose real trace has not taken over. What the index has is decided for all of them in one moment, so that
 * each is here or there.
 */
export const selectUnsettled = async (
  context: Context,
  selector: Selector,
  takesOver = alsoUnderWay,
): Promise<PendingTrace[]> => {
  await untilReady(find(context, selector))
  const { pending } = context.chain
  const index = takingIndex(context)
  const found = find(context, selector)
  if (!index) return found.filter((each) => !pending?.isOver(each))
  const isUnsettled = (each: PendingTrace): boolean => {
    const real = realTrace(index, each)
    return real ? !takesOver(real) : !pending?.isLate(each)
  }
  return index.snapshot(() => found.filter(isUnsettled))
}
