import type { Chain } from '../../chain/chain.ts'
import { getMethodsAt } from '../../chain/get-methods.ts'
import { isTonlithError } from '../../common/errors.ts'
import { detectEmulated, type EmulatedAccounts } from '../../indexer/detect-emulated.ts'
import type { KnownAccount } from '../../model/known-account.ts'
import type { EmulatedContract, PendingView } from '../../model/shown-trace.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import { rawAddress } from '../../ton/address.ts'

export interface EmulatedQuery {
  /** Knows the others. */
  index: IndexReader | undefined
  /** Masterchain block of the contracts behind them; the newest one when undefined. */
  seqno?: number | undefined
  signal: AbortSignal
}

/** Contracts of one trace that are looked at. */
const MOST = 64
/** Gas of a get-method that tells what a contract is: what the indexer gives. */
const METHOD_GAS = 300_000
/** Milliseconds for the contracts of all traces of an answer. */
const LOOK_MS = 2_000

/** Ends what an answer looks for; what is not known by then is left out of it. */
export const lookSignal = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])

/** Those of a trace that the index does not know, or not with the code that they have there. */
const strangers = ({ contracts }: PendingView, index: IndexReader | undefined): EmulatedContract[] => {
  if (!index) return contracts.slice(0, MOST)
  const records = index.accountStates(contracts.map(({ address }) => address))
  const codes = new Map(records.map(({ address, code_hash }) => [rawAddress(address), code_hash]))
  return contracts.filter(({ address, code }) => !codes.get(rawAddress(address))?.equals(code.hash())).slice(0, MOST)
}

const NOTHING: EmulatedAccounts = { known: new Map(), isWhole: true }
const FAILED: EmulatedAccounts = { known: new Map(), isWhole: false }

/** What accounts of a trace are that the index does not know: by their states in the trace, as far as that can be told. */
export const emulatedAccounts = async (
  chain: Chain,
  view: PendingView,
  { index, seqno, signal }: EmulatedQuery,
): Promise<EmulatedAccounts> => {
  const contracts = strangers(view, index)
  if (contracts.length === 0) return NOTHING
  if (signal.aborted) return FAILED
  const own = new Map(view.contracts.map((contract) => [rawAddress(contract.address), contract]))
  const instead = (address: EmulatedContract['address']) => own.get(rawAddress(address))
  try {
    return await detectEmulated(await getMethodsAt(chain, { seqno, signal, gas_limit: METHOD_GAS, instead }), contracts)
  } catch (error) {
    if (isTonlithError(error)) return FAILED
    throw error
  }
}

const found = new WeakMap<PendingView, Promise<EmulatedAccounts>>()

/** As emulatedAccounts, of a trace that many may ask for: found out once, wholly. */
export const pendingAccounts = async (
  chain: Chain,
  view: PendingView,
  query: Omit<EmulatedQuery, 'seqno'>,
): Promise<ReadonlyMap<string, KnownAccount>> => {
  const kept = found.get(view)
  if (kept) return (await kept).known
  const coming = emulatedAccounts(chain, view, query)
  found.set(view, coming)
  const forget = (): void => void found.delete(view)
  coming.then(({ isWhole }) => isWhole || forget(), forget)
  return (await coming).known
}
