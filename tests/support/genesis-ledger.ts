import type { GetMethods } from '../../src/contracts/get-methods.ts'
import type { Genesis } from '../../src/devnet/genesis/genesis.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { methodId } from '../../src/ton/method-id.ts'
import type { PrevBlocks } from '../../src/ton/prev-blocks.ts'
import { buildStack, parseStack, type StackValue } from '../../src/ton/stack.ts'
import {
  type Account,
  buildAccount,
  loadShardAccount,
  parseAccount,
  storeShardAccount,
} from '../../src/ton/tlb/account.ts'
import { parseMessageInfo } from '../../src/ton/tlb/message.ts'
import { accountOf } from '../../src/ton/tlb/msg-address.ts'
import { parseShardStateUnsplit, shardAccounts } from '../../src/ton/tlb/shard-state.ts'
import { buildCell, parseCell } from '../../src/ton/tlb/tag.ts'
import { outMsgs, parseTransaction, type Transaction } from '../../src/ton/tlb/transaction.ts'
import { tvmConfig } from '../../src/tvm/config.ts'
import { createExecutor, type Executed, type ExecutionContext, type Executor } from '../../src/tvm/executor.ts'
import { runGetMethod } from '../../src/tvm/get-method.ts'
import { createLocalTvm } from '../../src/tvm/local.ts'

/** What a message set off: its own transaction first, then those of the messages that followed. */
export interface Outcome {
  transactions: Transaction[]
  /** Of the message itself. */
  executed: Executed
}

/** Accounts of a new network that messages run on one after the other, without blocks. */
export interface GenesisLedger {
  /** Unix seconds of the next transaction. */
  now: number
  /** Runs a message and all that follow from it. */
  send(message: Cell): Outcome
  /** Runs a tick or tock of a special account, and no message that follows from it. */
  tickTock(address: Address, which: 'tick' | 'tock'): Transaction
  account(address: Address): Account
  /** Puts another account (TL-B ShardAccount) in its place. */
  put(address: Address, account: Cell): void
  methods: GetMethods
  /** All that a get-method left behind, with its exit code. */
  run(
    address: Address,
    method: string,
    args?: readonly StackValue[],
  ): Promise<{ exit_code: number; stack: StackValue[] }>
}

const NOBODY = buildCell(storeShardAccount, {
  account: buildAccount({ _: 'account_none' }),
  last_trans_hash: Buffer.alloc(32),
  last_trans_lt: 0n,
})

const destinationOf = (message: Cell): Address | null => {
  const info = parseMessageInfo(message)
  return info._ === 'ext_out_msg_info' ? null : accountOf(info.dest)
}

/** One for all: in a large process an instance of the emulator costs a whole garbage collection. */
let shared: Promise<Executor> | undefined
const tvm = createLocalTvm()

export const genesisLedger = async (genesis: Genesis): Promise<GenesisLedger> => {
  shared ??= createExecutor()
  const executor = await shared
  const config = tvmConfig(genesis.config)
  const accounts = new Map<string, Cell>()
  for (const { id, root } of [genesis.masterchain, genesis.basechain])
    for (const [hash, entry] of shardAccounts(parseShardStateUnsplit(root).accounts))
      accounts.set(rawAddress({ workchain: id.workchain, hash }), buildCell(storeShardAccount, entry))
  const { id } = genesis.masterchain
  const prevBlocks: PrevBlocks = { last_mc_blocks: [id], prev_key_block: id, last_mc_blocks_100: [id] }
  let lt = 1_000_000n

  const account = (address: Address): Account =>
    parseAccount(parseCell(accounts.get(rawAddress(address)) ?? NOBODY, loadShardAccount).account)

  const context = (): ExecutionContext => ({
    now: ledger.now,
    lt,
    rand_seed: Buffer.alloc(32, 7),
    config,
    libraries: null,
    prevBlocks: () => prevBlocks,
  })

  const ledger: GenesisLedger = {
    now: parseShardStateUnsplit(genesis.basechain.root).gen_utime + 1,
    send: (message) => {
      const transactions: Transaction[] = []
      const queue = [message]
      let first: Executed | undefined
      for (const each of queue) {
        const address = destinationOf(each)
        if (!address) continue
        const executed = executor.ordinary(accounts.get(rawAddress(address)) ?? NOBODY, each, context())
        first ??= executed
        if (!executed.done) continue
        accounts.set(rawAddress(address), executed.account)
        const transaction = parseTransaction(executed.transaction)
        transactions.push(transaction)
        lt = transaction.lt + BigInt(transaction.outmsg_cnt) + 1n
        queue.push(...outMsgs(transaction))
      }
      return { transactions, executed: first! }
    },
    tickTock: (address, which) => {
      const executed = executor.tickTock(accounts.get(rawAddress(address)) ?? NOBODY, which, context())
      if (!executed.done) throw new Error(`no ${which}`)
      accounts.set(rawAddress(address), executed.account)
      return parseTransaction(executed.transaction)
    },
    account,
    put: (address, entry) => void accounts.set(rawAddress(address), entry),
    run: async (address, method, args = []) => {
      const at = account(address)
      if (at._ !== 'account' || at.storage.state._ !== 'account_active') throw new Error(`no ${rawAddress(address)}`)
      const { balance, state } = at.storage
      const { exit_code, stack } = await runGetMethod(tvm, {
        address,
        code: state.code ?? beginCell().endCell(),
        data: state.data,
        balance: balance.grams,
        extra_currencies: [],
        now: ledger.now,
        config,
        method_id: methodId(method),
        stack: buildStack(args),
        gas_limit: 1_000_000,
        libraries: async () => [],
        prevBlocks: async () => prevBlocks,
      })
      return { exit_code, stack: parseStack(stack) }
    },
    methods: {
      run: async (address, method, args) => {
        if (account(address)._ === 'account_none') return undefined
        const { exit_code, stack } = await ledger.run(address, method, args)
        return exit_code === 0 ? stack : undefined
      },
      dnsRoot: async () => undefined,
    },
  }
  return ledger
}
