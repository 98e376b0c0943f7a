import type { Chain } from '../../../chain/chain.ts'
import { runMethod } from '../../../chain/run-method.ts'
import { ref } from '../../json-schema.ts'
import { blockIdExt } from '../dialect.ts'
import { type CallContext, type Method, method, POST } from '../method.ts'
import { address, int32 } from '../param.ts'
import { transactionId } from '../serialize/scalars.ts'
import { legacyStackEntries, stdStackEntries } from '../stack-output.ts'
import { legacyStack, methodParam, stdStack } from '../stack-param.ts'
import { pinnedSeconds } from './cache-seconds.ts'

const seqno = int32({
  optional: true,
  positive: true,
  description:
    'Masterchain block at which to run, with the state and the configuration of then; the newest one when left out',
})

const TOO_DEEP = { 533: 'The result nests too deep' }

type Context = CallContext<Chain>

const runGetMethod = method({
  name: 'runGetMethod',
  group: 'run-method',
  summary: 'Runs a get-method of a contract',
  verbs: POST,
  params: { address: address({}), method: methodParam, stack: legacyStack(ref('LegacyStackEntry')), seqno },
  result: ref('RunMethodResult'),
  errors: { ...TOO_DEEP, 542: 'An argument of a kind that is not supported' },
  cacheSeconds: pinnedSeconds,
  call: async ({ address, method: method_id, stack, seqno }, { chain, signal }: Context) => {
    const result = await runMethod(chain, address, { method_id, stack, seqno, signal })
    return {
      '@type': 'smc.runResult',
      gas_used: result.gas_used,
      stack: legacyStackEntries(result.stack),
      exit_code: result.exit_code,
      block_id: blockIdExt(result.block),
      last_transaction_id: transactionId(result.last_transaction),
    }
  },
})

const runGetMethodStd = method({
  name: 'runGetMethodStd',
  group: 'run-method',
  summary: 'Runs a get-method of a contract, with typed arguments and results',
  verbs: POST,
  params: { address: address({}), method: methodParam, stack: stdStack(ref('TvmStackEntry')), seqno },
  result: ref('RunMethodStdResult'),
  errors: TOO_DEEP,
  cacheSeconds: pinnedSeconds,
  call: async ({ address, method: method_id, stack, seqno }, { chain, signal }: Context) => {
    const result = await runMethod(chain, address, { method_id, stack, seqno, signal })
    return {
      '@type': 'smc.runResult',
      gas_used: result.gas_used,
      stack: stdStackEntries(result.stack),
      exit_code: result.exit_code,
    }
  },
})

/** Methods that run contracts (contracts/v2.md 9). */
export const runMethodMethods: readonly Method<Chain>[] = [runGetMethod, runGetMethodStd]
