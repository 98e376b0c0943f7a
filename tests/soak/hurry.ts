import type { Caller } from './caller.ts'
import { type Flow, startFlow } from './load.ts'
import type { Population } from './questions.ts'

/** A request that costs the gateway little, and the statuses that are an answer to it beside 200. */
interface Small {
  name: string
  path: string
  body?: unknown
  also?: readonly number[]
}

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

/** Callers that one may be: each is counted apart. */
const ADDRESSES = 2 ** 24

const SMALL: readonly ((population: Population) => Small)[] = [
  () => ({ name: 'small getMasterchainInfo', path: '/api/v2/getMasterchainInfo' }),
  ({ accounts, random }) => ({
    name: 'small getAddressBalance',
    path: `/api/v2/getAddressBalance?address=${pick(accounts, random)}`,
  }),
  ({ random }) => ({
    name: 'small packAddress',
    path: `/api/v2/packAddress?address=0:${Math.floor(random() * ADDRESSES)
      .toString(16)
      .padStart(64, '0')}`,
  }),
  ({ accounts, random }) => ({
    name: 'small jsonRPC',
    path: '/api/v2/jsonRPC',
    body: { jsonrpc: '2.0', id: random(), method: 'getAddressState', params: { address: pick(accounts, random) } },
  }),
  ({ random }) => ({
    name: 'small mistake',
    path: `/api/v2/getAddressInformation?address=${random()}`,
    also: [400, 422],
  }),
  ({ random }) => ({ name: 'small way to nowhere', path: `/api/v2/${random()}`, also: [404] }),
  ({ accounts, random }) => ({
    name: 'small v3 transactions',
    path: `/api/v3/transactions?account=${pick(accounts, random)}&limit=1`,
    also: [404],
  }),
]

const TURN_MS = 100

/**
 * So many small requests a second, whose answers are not compared with anything: what leaks a little with each request
 * leaks much in half an hour.
 */
export const startHurry = (
  perSecond: number,
  caller: Caller,
  population: Population,
  broken: (error: unknown) => void,
): Flow => {
  const step = async (): Promise<void> => {
    await Promise.all(
      Array.from({ length: Math.round((perSecond * TURN_MS) / 1000) }, () => {
        const { name, path, ...options } = pick(SMALL, population.random)(population)
        return caller.ask(name, path, options)
      }),
    )
  }
  return startFlow(step, TURN_MS, broken)
}
