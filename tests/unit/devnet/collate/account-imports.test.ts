import { describe, expect, test } from 'bun:test'
import { finish } from '../../../../src/common/steps.ts'
import type { AccountImport, CollatedBlock } from '../../../../src/devnet/collate/collation.ts'
import { masterchainBlockSteps } from '../../../../src/devnet/collate/masterchain-block.ts'
import { shardBlockSteps } from '../../../../src/devnet/collate/shard-block.ts'
import { newShardAccount } from '../../../../src/devnet/genesis/account-cell.ts'
import { MASTERCHAIN } from '../../../../src/ton/block-id.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { updateDict } from '../../../../src/ton/dictionary-update.ts'
import { applyUpdate } from '../../../../src/ton/merkle.ts'
import { parseAccount } from '../../../../src/ton/tlb/account.ts'
import { parseBlock } from '../../../../src/ton/tlb/block.ts'
import { parseMcStateExtra } from '../../../../src/ton/tlb/mc-state-extra.ts'
import {
  parseShardStateTotals,
  parseShardStateUnsplit,
  shardAccount,
  sharedLib,
} from '../../../../src/ton/tlb/shard-state.ts'
import { createExecutor } from '../../../../src/tvm/executor.ts'
import { recordedCollation } from '../../../support/recollated.ts'
import { recordedMasterchainCollation } from '../../../support/recollated-masterchain.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const chain = recordedChain()
const executor = await createExecutor()
/** A block of the right half of the basechain. */
const shardBlock = chain.shards(0).get(-(1n << 62n))![20]!
const master = chain.masterchain(60)!

const accountOf = (workchain: number, hash: Buffer, grams: bigint): AccountImport => {
  const address = { workchain, hash }
  return {
    address,
    account: newShardAccount({
      address,
      balance: { grams, other: null },
      state: { _: 'account_uninit' },
      last_paid: 1,
    }),
  }
}
const RIGHT = Buffer.alloc(32, 0xee)
const inShard = (imports: readonly AccountImport[]): CollatedBlock =>
  finish(shardBlockSteps({ ...recordedCollation(chain, shardBlock, executor), imports }))
const inMaster = (imports: readonly AccountImport[]) =>
  finish(masterchainBlockSteps({ ...recordedMasterchainCollation(chain, master, executor), imports }))
const balanceIn = ({ state }: CollatedBlock, id: Buffer): bigint => {
  const entry = shardAccount(parseShardStateUnsplit(state).accounts, id)!
  const account = parseAccount(entry.account)
  return account._ === 'account' ? account.storage.balance.grams : 0n
}

describe('accounts from outside', () => {
  test('stand in the state, and what they have is minted', () => {
    const [with_, without] = [inShard([accountOf(0, RIGHT, 777n)]), inShard([])]
    expect(balanceIn(with_, RIGHT)).toBe(777n)
    expect(with_.value_flow.minted.grams).toBe(777n)
    expect(with_.value_flow.to_next_blk.grams - without.value_flow.to_next_blk.grams).toBe(777n)
    const { total_balance } = parseShardStateTotals(parseShardStateUnsplit(with_.state).totals)
    expect(total_balance.grams).toBe(with_.value_flow.to_next_blk.grams)
    const { state_update } = parseBlock(with_.root)
    const before = chain.block(shardBlock.prev[0]!)!.state
    expect(applyUpdate(before, state_update).hash()).toEqual(with_.state.hash())
  })

  test('of the masterchain are minted too, and the global balance grows', () => {
    const made = inMaster([accountOf(MASTERCHAIN, RIGHT, 777n)])
    expect([made.value_flow.minted.grams, made.value_flow.burned]).toEqual([777n, null])
    const balanceOf = ({ state }: CollatedBlock): bigint =>
      parseMcStateExtra(parseShardStateUnsplit(state).custom!).global_balance.grams
    expect(balanceOf(made) - balanceOf(inMaster([]))).toBe(777n)
  })

  test('publish the libraries that they bring to the masterchain', () => {
    const lib = beginCell().uint(7, 32).endCell()
    const address = { workchain: MASTERCHAIN, hash: RIGHT }
    const library = updateDict(null, [{ key: lib.hash(), store: (builder) => builder.bit(true).ref(lib) }], 256)
    const account = newShardAccount({
      address,
      balance: { grams: 1n, other: null },
      state: { _: 'account_active', fixed_prefix_length: null, special: null, code: null, data: null, library },
      last_paid: 1,
    })
    const { state } = inMaster([{ address, account }])
    const { libraries } = parseShardStateTotals(parseShardStateUnsplit(state).totals)
    expect(sharedLib(libraries, lib.hash())!.lib.hash()).toEqual(lib.hash())
  })

  test('are refused where they do not belong', () => {
    expect(() => inShard([accountOf(0, Buffer.alloc(32, 0x11), 1n)])).toThrow('does not hold it')
    expect(() => inShard([accountOf(MASTERCHAIN, RIGHT, 1n)])).toThrow('does not hold it')
    expect(() => inShard([accountOf(0, RIGHT, 1n), accountOf(0, RIGHT, 2n)])).toThrow('twice')
    expect(() => inMaster([accountOf(MASTERCHAIN, Buffer.alloc(32, 0x33), 5n)])).toThrow('there already')
  })
})
