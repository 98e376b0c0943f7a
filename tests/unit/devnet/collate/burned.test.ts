import { describe, expect, test } from 'bun:test'
import { finish } from '../../../../src/common/steps.ts'
import type { BlockSource, CollatedBlock } from '../../../../src/devnet/collate/collation.ts'
import { masterchainBlockSteps } from '../../../../src/devnet/collate/masterchain-block.ts'
import { shardBlockSteps } from '../../../../src/devnet/collate/shard-block.ts'
import { faucetMessage } from '../../../../src/devnet/genesis/faucet.ts'
import { createGenesis } from '../../../../src/devnet/genesis/genesis.ts'
import { VALIDATOR_KEY } from '../../../../src/devnet/genesis/keys.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../../src/ton/block-id.ts'
import { parseBurningConfig } from '../../../../src/ton/tlb/burning-config.ts'
import { configParam } from '../../../../src/ton/tlb/config-params.ts'
import { parseShardStateUnsplit, shardAccount } from '../../../../src/ton/tlb/shard-state.ts'
import { createExecutor } from '../../../../src/tvm/executor.ts'

const UTIME = 1_795_900_000
const TON = 1_000_000_000n
const executor = await createExecutor()
const genesis = createGenesis({ gen_utime: UTIME, shards: 1 })
const BLACKHOLE = parseBurningConfig(configParam(genesis.config, 5)).blackhole_addr!

const sourceOf = ({ id, state, info }: CollatedBlock): BlockSource => ({ id, state, end_lt: info.end_lt })
const zerostates = [genesis.masterchain, genesis.basechain].map(({ id, root }) => ({ id, state: root, end_lt: 0n }))
const [master0, base0] = zerostates as [BlockSource, BlockSource]
const common = {
  created_by: VALIDATOR_KEY.publicKey,
  imports: [],
  max_transactions: 100,
  executor,
  masterState: () => master0.state,
}
const topOf = ({ id, info, value_flow, created_by }: CollatedBlock) => ({
  id,
  info,
  fees_collected: value_flow.fees_collected,
  funds_created: value_flow.created,
  minted: value_flow.minted,
  creators: [created_by],
})

describe('what is sent to the address that burns', () => {
  test('is gone, and the masterchain block says so beside half of the fees', () => {
    const masterchain = (master: BlockSource, shards: readonly CollatedBlock[], now: number): CollatedBlock =>
      finish(
        masterchainBlockSteps({
          ...common,
          prev: [master],
          master,
          neighbours: shards.map(sourceOf),
          shards: shards.map(topOf),
          now,
          rand_seed: Buffer.alloc(32, now & 127),
          externals: [],
        }),
      )
    const first = masterchain(master0, [], UTIME + 1)
    const message = faucetMessage(
      [{ destination: { workchain: MASTERCHAIN, hash: BLACKHOLE }, amount: 5n * TON }],
      0n,
      UTIME + 100,
    )
    const shard = finish(
      shardBlockSteps({
        ...common,
        workchain: 0,
        shard: SHARD_ALL,
        prev: [base0],
        master: sourceOf(first),
        neighbours: [sourceOf(first), base0],
        now: UTIME + 2,
        rand_seed: Buffer.alloc(32, 77),
        externals: [message],
        before_split: false,
      }),
    )
    expect(shard.taken.length).toBe(1)
    const second = masterchain(sourceOf(first), [shard], UTIME + 3)
    const { burned, fees_imported, imported } = second.value_flow
    expect(imported.grams > 5n * TON - TON / 100n).toBe(true)
    const fees = (fees_imported.grams - shard.value_flow.created.grams) / 2n
    expect(burned!.grams > 5n * TON - TON / 100n + fees).toBe(true)
    expect(shardAccount(parseShardStateUnsplit(second.state).accounts, BLACKHOLE)).toBeNull()
  })
})
