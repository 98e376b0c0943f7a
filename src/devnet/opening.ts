import { type Address, accountPrefix } from '../ton/address.ts'
import { type BlockIdExt, MASTERCHAIN } from '../ton/block-id.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { type AccountState, parseAccount } from '../ton/tlb/account.ts'
import { parseMcStateExtra } from '../ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardOfAccount } from '../ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit, shardAccount } from '../ton/tlb/shard-state.ts'
import type { SendingHead } from './external-message.ts'
import { OPENING_WALLET, type OpeningStep, openingSteps } from './genesis/opening.ts'
import { shardLayout } from './resplit.ts'
import type { StoredChain } from './stored-chain.ts'

type States = Pick<StoredChain, 'zerostate' | 'block' | 'masterchain' | 'last'>

/** Steps that a first start may take at most. */
const MAX_STEPS = 80
/** Seconds that a message is valid. */
const LIFETIME = 300

/** State of the newest masterchain block, or the zerostate. */
export const masterchainState = (chain: States): Cell =>
  chain.last === 0 ? chain.zerostate(MASTERCHAIN)!.root : chain.masterchain(chain.last)!.state

const stateOf = (chain: States, id: BlockIdExt): Cell =>
  id.seqno === 0 ? chain.zerostate(id.workchain)!.root : chain.block(id)!.state

/** The state of an account in the newest block of its shard; null where it has none or is not there. */
export const accountState = (chain: States, address: Address): AccountState | null => {
  const { custom } = parseShardStateUnsplit(masterchainState(chain))
  const hashes = custom && parseMcStateExtra(custom).shard_hashes
  const entry = shardOfAccount(hashes, address.workchain, accountPrefix(address))
  if (!entry) return null
  const found = shardAccount(parseShardStateUnsplit(stateOf(chain, shardBlockId(entry))).accounts, address.hash)
  const account = found && parseAccount(found.account)
  return account?._ === 'account' ? account.storage.state : null
}

/** What messages are checked against: the newest masterchain block and the shards that it names. */
export const sendingHead = (chain: States): SendingHead => {
  const { id } = chain.last === 0 ? chain.zerostate(MASTERCHAIN)! : chain.masterchain(chain.last)!
  return { id, state: masterchainState(chain), shardState: (of) => stateOf(chain, of) }
}

const isActive = (chain: States, address: Address): boolean => accountState(chain, address)?._ === 'account_active'

/** What a wallet v5r1 takes next: its data has one bit, and then the seqno. */
const walletSeqno = (chain: States): number => {
  const state = accountState(chain, OPENING_WALLET.address)
  return state?._ === 'account_active' && state.data ? beginParse(state.data).skip(1).uint(32) : 0
}

export interface OpeningOptions {
  chain: States
  /** Makes a step with this gen_utime. */
  step(now: number): Promise<unknown>
  /** Gives a message (bag of cells) to the next step. */
  send(message: Buffer): Promise<void>
}

/**
 * Makes the first blocks of a new network: until it has its shards, and until the first wallet has done what there is to
 * be seen at once. Each has a second of its own. Goes on where an earlier start was cut off; does nothing later on.
 */
export const runOpening = async ({ chain, step, send }: OpeningOptions): Promise<void> => {
  let steps: OpeningStep[] | undefined
  let sent = -1
  for (let made = 0; made < MAX_STEPS; made++) {
    const state = masterchainState(chain)
    const now = parseShardStateUnsplit(state).gen_utime + 1
    const { shards, min_split } = shardLayout(state)
    if (shards.length >= 1 << min_split) {
      const seqno = walletSeqno(chain)
      steps ??= openingSteps()
      const next = steps.find((each) => each.seqno >= seqno)
      if (!next) return
      if (next.seqno > sent && next.needs.every((address) => isActive(chain, address))) {
        await send(cellToBoc(next.message(now + LIFETIME)))
        sent = next.seqno
      }
    }
    await step(now)
  }
}
