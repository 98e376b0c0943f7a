import { isTonlithError } from '../../common/errors.ts'
import { readExtraCurrencies } from '../../model/extra-currency.ts'
import { parseBocRoot } from '../../ton/boc.ts'
import type { Cell } from '../../ton/cell.ts'
import { dictLookup } from '../../ton/dictionary.ts'
import { type PrevBlocks, readPrevBlocks } from '../../ton/prev-blocks.ts'
import { buildStack, buildStackValue, parseStack, type StackValue, stackInt } from '../../ton/stack.ts'
import type { LiteAnswer, LiteRequest } from '../../ton/tl/lite-api.ts'
import { type Account, type AccountState, parseAccount } from '../../ton/tlb/account.ts'
import { masterBlockIdOf } from '../../ton/tlb/ext-blk-ref.ts'
import { parseMcStateExtra, parseMcStateHistory } from '../../ton/tlb/mc-state-extra.ts'
import { parseShardStateTotals, parseShardStateUnsplit, sharedLib } from '../../ton/tlb/shard-state.ts'
import { tvmConfig } from '../../tvm/config.ts'
import { type GetMethodResult, runGetMethod } from '../../tvm/get-method.ts'
import type { TvmRunner } from '../../tvm/local.ts'
import type { ChainBlock } from '../chain.ts'
import type { ChainView } from '../chain-view.ts'
import { type ContractView, initialC7 } from '../initial-c7.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { bag, openAll, prove } from '../proofs.ts'
import type { Handlers } from '../query.ts'
import { accountStateAnswer, type LocatedAccount, locateAccount } from './account-state.ts'
import { refuse } from './unsupported.ts'

type Request = LiteRequest<'liteServer.runSmcMethod'>
type ActiveAccount = Extract<Account, { _: 'account' }>
type ActiveState = Extract<AccountState, { _: 'account_active' }>

const WITH_PROOF = 1
const WITH_STATE_PROOF = 2
const WITH_RESULT = 4
const WITH_C7 = 8
const WITH_LIB_EXTRAS = 16
const WITH_WHOLE_C7 = 32
const ALL_MODES = 63

const MAX_PARAMS_BYTES = 65_536
const GAS_LIMIT = 300_000
const NO_ACCOUNT = -256
const NO_CODE = -13

const badRequest = (text: string): Error => liteError(BAD_REQUEST, text)

const hasContinuation = (value: StackValue): boolean =>
  value._ === 'vm_stk_cont' || (value._ === 'vm_stk_tuple' && value.data.some(hasContinuation))

/** The arguments, after the node's checks. */
const readParams = (params: Buffer): StackValue[] => {
  if (params.length === 0) return []
  let root: Cell
  try {
    root = parseBocRoot(params)
  } catch (error) {
    if (!isTonlithError(error)) throw error
    throw badRequest(
      'cannot deserialize parameter list boc: [Error : 0 : bag of cells is expected to have exactly one root]',
    )
  }
  try {
    const stack = parseStack(root)
    if (!stack.some(hasContinuation)) return stack
  } catch (error) {
    if (!isTonlithError(error)) throw error
  }
  throw badRequest('parameter list boc cannot be deserialized as a VmStack')
}

/** The masterchain block whose configuration a method of an account in this block sees. */
const rulingBlock = (view: ChainView, base: ChainBlock): ChainBlock => {
  const { master_ref } = parseShardStateTotals(parseShardStateUnsplit(base.state).totals)
  const block = master_ref ? view.block(masterBlockIdOf(master_ref)) : base
  if (!block) throw badRequest('masterchain ref block is not available')
  return block
}

/** What the state of a masterchain block holds for the contracts that run at it. */
interface Network {
  config: Cell
  libraries: Cell | null
  prevBlocks(): PrevBlocks
}

const networkAt = ({ id, state }: ChainBlock): Network => {
  const { custom, totals } = parseShardStateUnsplit(state)
  const { config, history } = parseMcStateExtra(custom!)
  return {
    config: config.config,
    libraries: parseShardStateTotals(totals).libraries,
    prevBlocks: () => readPrevBlocks(parseMcStateHistory(history), id),
  }
}

/** A library that the account has for itself (TL-B SimpleLib). */
const ownLibrary = (library: Cell | null, hash: Buffer): Cell | undefined =>
  dictLookup(library, 256, hash)?.skip(1).ref()

interface Run {
  account: ActiveAccount
  state: ActiveState
  contract: ContractView
  network: Network
  stack: StackValue[]
  method_id: number
}

const run = (
  tvm: TvmRunner,
  { account, state, contract, network, stack, method_id }: Run,
): Promise<GetMethodResult> => {
  const { code } = state
  if (!code) {
    const pushed = buildStack([...stack, stackInt(method_id)])
    return Promise.resolve({ exit_code: NO_CODE, gas_used: 0, stack: pushed })
  }
  return runGetMethod(tvm, {
    address: contract.address,
    code,
    data: state.data,
    balance: contract.balance.grams,
    extra_currencies: readExtraCurrencies(account.storage.balance.other),
    now: contract.now,
    config: tvmConfig(network.config),
    method_id,
    stack: buildStack(stack),
    gas_limit: GAS_LIMIT,
    libraries: async (hashes) =>
      hashes.flatMap((hash) => sharedLib(network.libraries, hash)?.lib ?? ownLibrary(state.library, hash) ?? []),
    prevBlocks: async () => network.prevBlocks(),
  })
}

const c7 = ({ account, state, contract, network }: Run, mode: number): Buffer => {
  const whole = mode & WITH_WHOLE_C7 && state.code
  const view = whole && {
    config: network.config,
    globalVersion: tvmConfig(network.config).globalVersion,
    code: state.code!,
    prevBlocks: network.prevBlocks(),
    due_payment: account.storage_stat.due_payment ?? 0n,
  }
  return bag(buildStackValue(initialC7(contract, view || undefined)))
}

const answer = (
  { mode }: Request,
  { base, shard, shard_proof, proof, account }: LocatedAccount,
  { exit_code, stack, init_c7 }: { exit_code: number; stack?: Cell; init_c7?: Buffer },
): LiteAnswer<'liteServer.runSmcMethod'> => ({
  _: 'liteServer.runMethodResult',
  mode,
  id: base.id,
  shardblk: shard!.id,
  shard_proof: mode & WITH_PROOF ? shard_proof : undefined,
  proof: mode & WITH_PROOF ? proof : undefined,
  state_proof: mode & WITH_STATE_PROOF ? (account ? bag(prove(account, openAll).proof) : bag()) : undefined,
  init_c7: mode & WITH_C7 ? (init_c7 ?? bag()) : undefined,
  lib_extras: mode & WITH_LIB_EXTRAS ? bag() : undefined,
  exit_code,
  result: mode & WITH_RESULT ? (stack ? bag(stack) : bag()) : undefined,
})

/**
 * Runs a get-method as a node does: gas limit 300,000, exit code -256 for an account that is not active. The TVM here has no
 * logical time and a seed of zeros, and the proof of the state shows all of the account, not only what the method read.
 */
export const runSmcMethod = {
  'liteServer.runSmcMethod': async ({ view, tvm }, request) => {
    if (!tvm) return refuse('it cannot run get-methods')
    const { mode, params } = request
    if (params.length >= MAX_PARAMS_BYTES) throw badRequest('more than 64k parameter bytes passed')
    if (mode & ~ALL_MODES) throw badRequest('unsupported mode in runSmcMethod')
    const stack = readParams(params)
    const located = locateAccount(view, request)
    const { base, shard } = located
    if (!shard) return accountStateAnswer(located, (account) => account)
    const account = located.account && parseAccount(located.account)
    if (account?._ !== 'account' || account.storage.state._ !== 'account_active')
      return answer(request, located, { exit_code: NO_ACCOUNT })
    const method_id = Number(request.method_id)
    if (method_id !== (method_id | 0)) throw badRequest('method ids beyond 32 bits are not supported')
    const { workchain, id } = request.account
    const { gen_utime, gen_lt } = parseShardStateUnsplit(shard.state)
    const asked: Run = {
      account,
      state: account.storage.state,
      contract: {
        address: { workchain, hash: id },
        balance: account.storage.balance,
        now: gen_utime,
        lt: gen_lt,
      },
      network: networkAt(rulingBlock(view, base)),
      stack,
      method_id,
    }
    const { exit_code, stack: left } = await run(tvm, asked)
    return answer(request, located, {
      exit_code,
      stack: left,
      ...(mode & WITH_C7 ? { init_c7: c7(asked, mode) } : {}),
    })
  },
} satisfies Partial<Handlers>
