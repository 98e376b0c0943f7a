import type { Chain } from '../../../chain/chain.ts'
import { locateResult, locateSource } from '../../../chain/locate.ts'
import { ref } from '../../json-schema.ts'
import { type CallContext, GET_POST, type Method, method } from '../method.ts'
import { address, int64 } from '../param.ts'
import { extTransaction } from '../serialize/transactions.ts'
import { IMMUTABLE } from './cache-seconds.ts'

type Context = CallContext<Chain>

const messageParams = {
  source: address({ label: 'source address', description: 'Account that sent the message' }),
  destination: address({ label: 'destination address', description: 'Account that received the message' }),
  created_lt: int64({ nonNegative: true, description: 'Logical time of the message' }),
}

const shared = {
  group: 'transactions',
  verbs: GET_POST,
  params: messageParams,
  result: ref('Transaction'),
  errors: { 404: 'transaction was not found' },
} as const

const tryLocate = (name: string) =>
  method({
    ...shared,
    name,
    summary: 'The transaction that received a message',
    cacheSeconds: () => IMMUTABLE,
    call: async (key, { chain, signal }: Context) => extTransaction(await locateResult(chain, key, signal)),
  })

const tryLocateSourceTx = method({
  ...shared,
  name: 'tryLocateSourceTx',
  summary: 'The transaction that sent a message',
  cacheSeconds: () => IMMUTABLE,
  call: async (key, { chain, signal }: Context) => extTransaction(await locateSource(chain, key, signal)),
})

/** Methods that find the transactions at both ends of a message (contracts/v2.md 7.4). */
export const locateMethods: readonly Method<Chain>[] = [
  tryLocate('tryLocateTx'),
  tryLocate('tryLocateResultTx'),
  tryLocateSourceTx,
]
