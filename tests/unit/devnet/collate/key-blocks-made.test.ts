import { describe, expect, test } from 'bun:test'
import { finish } from '../../../../src/common/steps.ts'
import type { BlockSource } from '../../../../src/devnet/collate/collation.ts'
import {
  type CollatedMasterchainBlock,
  masterchainBlockSteps,
} from '../../../../src/devnet/collate/masterchain-block.ts'
import { configSeqno, paramMessage } from '../../../../src/devnet/genesis/config-message.ts'
import { createGenesis } from '../../../../src/devnet/genesis/genesis.ts'
import { VALIDATOR_KEY } from '../../../../src/devnet/genesis/keys.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { parseBlock } from '../../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../../src/ton/tlb/block-extra.ts'
import { configParam } from '../../../../src/ton/tlb/config-params.ts'
import { parseMcBlockExtra } from '../../../../src/ton/tlb/mc-block-extra.ts'
import { parseMcStateExtra, parseMcStateHistory } from '../../../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit } from '../../../../src/ton/tlb/shard-state.ts'
import { createExecutor } from '../../../../src/tvm/executor.ts'

const UTIME = 1_795_900_000
const executor = await createExecutor()

/** A new network whose masterchain goes on with these messages, one block for each list. */
const run = (lists: readonly ((state: Cell) => Cell[])[]): CollatedMasterchainBlock[] => {
  const { masterchain } = createGenesis({ gen_utime: UTIME, shards: 1 })
  let last: BlockSource = { id: masterchain.id, state: masterchain.root, end_lt: 0n }
  const states = [last.state]
  return lists.map((messages, at) => {
    const made = finish(
      masterchainBlockSteps({
        prev: [last],
        master: last,
        neighbours: [],
        shards: [],
        now: UTIME + at + 1,
        rand_seed: Buffer.alloc(32, at + 1),
        created_by: VALIDATOR_KEY.publicKey,
        externals: messages(last.state),
        imports: [],
        masterState: (seqno) => states[seqno]!,
        max_transactions: 100,
        executor,
      }),
    )
    last = { id: made.id, state: made.state, end_lt: made.info.end_lt }
    states.push(made.state)
    return made
  })
}

const nothing = (): Cell[] => []
const change =
  (index: number, value: Cell) =>
  (state: Cell): Cell[] => [paramMessage({ index, value, seqno: configSeqno(state), valid_until: UTIME + 1000 })]
const extraOf = ({ state }: CollatedMasterchainBlock) => parseMcStateExtra(parseShardStateUnsplit(state).custom!)

/** Parameter 44: no address is suspended, until then. */
const suspended = (until: number): Cell => beginCell().uint(0, 8).bit(false).uint(until, 32).endCell()

describe('a change of the configuration', () => {
  test('makes a key block, and those after it name it', () => {
    const [first, key, after] = run([nothing, change(44, suspended(5)), nothing])
    expect([first!, key!, after!].map(({ info }) => info.key_block)).toEqual([false, true, false])
    expect(configParam(extraOf(key!).config.config, 44)!.hash()).toEqual(suspended(5).hash())
    const { config } = parseMcBlockExtra(parseBlockExtra(parseBlock(key!.root).extra).custom!)
    expect(config!.config.hash()).toEqual(extraOf(key!).config.config.hash())
    expect(after!.info.prev_key_block_seqno).toBe(2)
    expect(parseMcStateHistory(extraOf(after!).history).last_key_block?.seq_no).toBe(2)
    expect([key!, after!].map(({ info }) => info.gen_catchain_seqno)).toEqual([0, 1])
  })

  test('to what no node could read is not taken, and the chain goes on', () => {
    const blocks = run([nothing, change(777, suspended(5)), nothing])
    expect(blocks.map(({ info }) => info.key_block)).toEqual([false, false, false])
    expect(blocks.map(({ config_refused }) => config_refused)).toEqual([
      null,
      'there is no configuration parameter 777',
      'there is no configuration parameter 777',
    ])
    expect(extraOf(blocks[2]!).config.config.hash()).toEqual(extraOf(blocks[0]!).config.config.hash())
  })

  test('to what it is already is none', () => {
    const [, same] = run([change(44, suspended(5)), change(44, suspended(5))])
    expect([same!.taken.length, same!.info.key_block]).toEqual([1, false])
  })
})
