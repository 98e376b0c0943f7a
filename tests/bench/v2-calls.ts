import { recordedAccounts } from './accounts.ts'

/** A masterchain block of which the recording has the signatures, so that it can be trusted in full. */
export const HEAD = 357

/** The n-th of many requests: its target, and its JSON body where it is a POST. */
export interface Call {
  path: (n: number) => string
  body?: (n: number) => string
}

/** A call whose first request is the n-th. */
export const shifted = ({ path, body }: Call, from: number): Call => ({
  path: (n) => path(from + n),
  ...(body && { body: (n) => body(from + n) }),
})

const BASE = '/ton/api/v2'
/** Accounts of the calls that ask for the same again; the caches hold many more. */
const FEW = 50
/** Transactions of a page; only accounts that have as many are asked for one. */
const PAGE = 10

/**
 * Calls about the accounts of the recorded network. Those that are not `cached` ask for one account after the other at one
 * masterchain block after the other, so that the gateway finds nothing in its caches but blocks; transactions are asked for
 * down to one lt after the other, all of them before the network's first, of accounts whose newest transaction is known.
 */
export const v2Calls = () => {
  const accounts = recordedAccounts()
  const busy = recordedAccounts(PAGE)
  const place = (n: number) => ({
    address: accounts[n % accounts.length]!,
    seqno: HEAD - (Math.floor(n / accounts.length) % HEAD),
  })
  const query = (n: number): string => {
    const { address, seqno } = place(n)
    return `address=${address}&seqno=${seqno}`
  }
  const run = (n: number, stack: readonly unknown[]): string => JSON.stringify({ ...place(n), method: 'seqno', stack })
  return {
    head: { path: () => `${BASE}/getMasterchainInfo` },
    information: { path: (n) => `${BASE}/getAddressInformation?${query(n)}` },
    cachedInformation: { path: (n) => `${BASE}/getAddressInformation?${query(n % FEW)}` },
    transactions: {
      path: (n) => {
        const to_lt = Math.floor(n / busy.length)
        return `${BASE}/getTransactions?limit=${PAGE}&address=${busy[n % busy.length]}&to_lt=${to_lt}`
      },
    },
    getMethod: { path: () => `${BASE}/runGetMethod`, body: (n) => run(n, []) },
    /** The argument makes each another question, whose answer is not at hand. */
    cachedStateGetMethod: { path: () => `${BASE}/runGetMethod`, body: (n) => run(n % FEW, [['num', String(n)]]) },
  } satisfies Record<string, Call>
}
