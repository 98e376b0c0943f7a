import { describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import type { Chain } from '../../../src/devnet/chain.ts'
import { serializeBoc } from '../../../src/ton/boc-writer.ts'
import { type Block, buildBlock, parseBlock } from '../../../src/ton/tlb/block.ts'
import { type BlockExtra, buildBlockExtra, parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { type BlockInfo, buildBlockInfo, parseBlockInfo } from '../../../src/ton/tlb/block-info.ts'
import { buildValueFlow, parseValueFlow, type ValueFlow } from '../../../src/ton/tlb/value-flow.ts'
import { checkChain, createChainCheck } from '../../support/chain-check/chain-check.ts'
import type { RawBlock } from '../../support/chain-check/checked-block.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { recordedSteps, recordedZerostates } from '../../support/recorded-steps.ts'

/**
 * The check that our own networks must pass is passed by the recorded one, which real validators made; and it finds
 * blocks that are wrong.
 */

const recorded = recordedChain()
const TEST_MS = 120_000

test(
  'the recorded chain is right',
  () => {
    const { counts: _, ...report } = checkChain(recorded)
    expect(report).toEqual({
      last: 360,
      blocks: 1010,
      keyBlocks: 4,
      splits: 2,
      merges: 0,
      transactions: 3862,
      messages: { in: 1553, out: 162, sent: 1228, delivered: 1228, pending: 0 },
      value: {
        accounts: 5_000_990_964_000_000_000n,
        underWay: 0n,
        fees: 0n,
        burned: 0n,
        issued: 5_000_990_964_000_000_000n,
      },
    })
  },
  TEST_MS,
)

/** A block with other parts, under the id that it has then. */
const changed = (raw: RawBlock, change: (block: Block) => Partial<Block>): RawBlock => {
  const block = parseBlock(recorded.block(raw.id)!.root)
  const root = buildBlock({ ...block, ...change(block) })
  const data = serializeBoc([root], { crc: true })
  return { id: { ...raw.id, root_hash: root.hash(), file_hash: hash('sha256', data, 'buffer') }, data }
}

const withInfo = (change: (info: BlockInfo) => Partial<BlockInfo>) => (raw: RawBlock) =>
  changed(raw, ({ info }) => ({ info: buildBlockInfo({ ...parseBlockInfo(info), ...change(parseBlockInfo(info)) }) }))

const withFlow = (change: (flow: ValueFlow) => Partial<ValueFlow>) => (raw: RawBlock) =>
  changed(raw, ({ value_flow }) => {
    const flow = parseValueFlow(value_flow)
    return { value_flow: buildValueFlow({ ...flow, ...change(flow) }) }
  })

const withExtra = (change: (extra: BlockExtra) => Partial<BlockExtra>) => (raw: RawBlock) =>
  changed(raw, ({ extra }) => ({
    extra: buildBlockExtra({ ...parseBlockExtra(extra), ...change(parseBlockExtra(extra)) }),
  }))

const more = ({ grams, other }: ValueFlow['created'], by = 1n) => ({ grams: grams + by, other })

const steps = [...recordedSteps(recorded)]
/** A step whose last shard block has transactions, messages in and out. */
const AT = steps.findIndex(({ shardBlocks }) => shardBlocks.length > 0 && shardBlocks.at(-1)!.data.length > 12_000)
const other = steps[AT + 3]!.masterchainBlock

const WRONG: [what: string, (raw: RawBlock) => RawBlock, fault: RegExp][] = [
  ['bytes', (raw) => ({ ...raw, data: Buffer.concat([raw.data, Buffer.alloc(1)]) }), /bytes have another hash/],
  ['root hash', ({ id, data }) => ({ id: { ...id, root_hash: Buffer.alloc(32) }, data }), /root has another hash/],
  ['seqno', ({ id, data }) => ({ id: { ...id, seqno: id.seqno + 1 }, data }), /header is of another block/],
  ['end lt', withInfo(({ end_lt }) => ({ end_lt: end_lt + 1n })), /state of another time/],
  ['start lt', withInfo(() => ({ start_lt: 1n })), /start_lt lies in/],
  ['time', withInfo(({ gen_utime }) => ({ gen_utime: gen_utime - 1000 })), /made before|another time/],
  ['value that goes', withFlow(({ to_next_blk }) => ({ to_next_blk: more(to_next_blk) })), /to_next_blk is/],
  ['value that comes', withFlow(({ imported }) => ({ imported: more(imported) })), /imported is/],
  ['fees', withFlow(({ fees_collected }) => ({ fees_collected: more(fees_collected) })), /what goes is/],
  [
    'fees that balance',
    withFlow(({ fees_collected, created }) => ({
      fees_collected: more(fees_collected, 2n),
      created: more(created, 2n),
    })),
    /created is not/,
  ],
  [
    'messages in',
    withExtra(() => ({ in_msg_descr: parseBlockExtra(parseBlock(other.root).extra).in_msg_descr })),
    /InMsgDescr lacks|names a transaction/,
  ],
  [
    'messages out',
    withExtra(() => ({ out_msg_descr: parseBlockExtra(parseBlock(other.root).extra).out_msg_descr })),
    /OutMsgDescr lacks|names a transaction/,
  ],
  [
    'account blocks',
    withExtra(() => ({ account_blocks: parseBlockExtra(parseBlock(other.root).extra).account_blocks })),
    /has changed|another state/,
  ],
  [
    'state',
    (raw) => changed(raw, () => ({ state_update: parseBlock(other.root).state_update })),
    /starts from another state/,
  ],
]

describe('a block is found that has other', () => {
  const faultOf = (change: (raw: RawBlock) => RawBlock): string => {
    const check = createChainCheck(recordedZerostates(recorded))
    for (const { masterchainBlock, shardBlocks } of steps.slice(0, AT)) check.step(masterchainBlock, shardBlocks)
    const { masterchainBlock, shardBlocks } = steps[AT]!
    try {
      check.step(masterchainBlock, [...shardBlocks.slice(0, -1), change(shardBlocks.at(-1)!)])
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
    return 'none'
  }
  for (const [what, change, fault] of WRONG) test(what, () => expect(faultOf(change)).toMatch(fault), TEST_MS)
})

test('a chain that gives out another state is found', () => {
  const lying: Chain = {
    ...recorded,
    block: (id) => {
      const block = recorded.block(id)
      return block && id.seqno === 3 ? { ...block, state: other.state } : block
    },
  }
  expect(() => checkChain(lying, 10)).toThrow('the chain gives out another state')
})
