import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../../src/common/logger.ts'
import { fixedBound } from '../../../src/devnet/block-bound.ts'
import { blockSigner } from '../../../src/devnet/block-signer.ts'
import { masterchainBlockSteps } from '../../../src/devnet/collate/masterchain-block.ts'
import { shardBlockSteps } from '../../../src/devnet/collate/shard-block.ts'
import { FAUCET, faucetMessage } from '../../../src/devnet/genesis/faucet.ts'
import { createGenesis } from '../../../src/devnet/genesis/genesis.ts'
import { VALIDATOR_ADNL_ADDRESS, VALIDATOR_KEY } from '../../../src/devnet/genesis/keys.ts'
import { createProducer, type ProducerOptions, type StepOrder } from '../../../src/devnet/producer.ts'
import { openStoredChain, type StoredChain } from '../../../src/devnet/stored-chain.ts'
import { shardContains } from '../../../src/ton/block-id.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { checkSignatures, signatureSetOfTl } from '../../../src/ton/signatures.ts'
import { createExecutor, type Executor } from '../../../src/tvm/executor.ts'

/** Unix seconds of the zerostates. */
const BEGUN = 1_900_000_000

let executor: Executor
const folders: string[] = []
const chains: StoredChain[] = []

beforeAll(async () => {
  executor = await createExecutor()
})
afterAll(async () => {
  for (const chain of chains) await chain.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const message = (id: bigint): Cell => faucetMessage([{ destination: FAUCET.address, amount: 1n }], id, BEGUN + 400)

const hex = (cell: Cell): string => cell.hash().toString('hex')

/** A new chain with one shard, what makes its blocks, and the messages that wait. */
const newChain = async (options: Partial<ProducerOptions> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-producer-'))
  folders.push(folder)
  const chain = await openStoredChain(join(folder, 'chain'), () => {
    const { masterchain, basechain } = createGenesis({ gen_utime: BEGUN, shards: 1 })
    return [masterchain, basechain]
  })
  chains.push(chain)
  let waiting: Cell[] = []
  const dropped: string[] = []
  const leave = (gone: readonly Cell[]): void => {
    waiting = waiting.filter((each) => !gone.includes(each))
  }
  const producer = createProducer({
    chain,
    collateShard: shardBlockSteps,
    collateMasterchain: masterchainBlockSteps,
    sign: blockSigner(VALIDATOR_KEY.seed),
    externals: {
      batch: ({ workchain, shard }, most) =>
        workchain === 0 && shardContains(shard, FAUCET.address.hash.readBigInt64BE(0)) ? waiting.slice(0, most) : [],
      settle: ({ taken, refused }) => leave([...taken, ...refused.map((one) => one.message)]),
      drop: (cell) => {
        dropped.push(hex(cell))
        leave([cell])
      },
    },
    executor,
    created_by: VALIDATOR_KEY.publicKey,
    bound: fixedBound(),
    signal: new AbortController().signal,
    logger: silentLogger,
    ...options,
  })
  const step = (now: number, order: Partial<StepOrder> = {}) =>
    producer.step({ now, everyShard: false, wishes: () => undefined, imports: [], ...order })
  return {
    chain,
    step,
    dropped,
    send: (...cells: Cell[]) => waiting.push(...cells),
    waiting: () => waiting.map(hex),
  }
}

describe('a step', () => {
  test('makes a masterchain block that is signed by the validator', async () => {
    const { chain, step } = await newChain()
    await step(BEGUN + 1)
    const { masterchainBlock } = await step(BEGUN + 2)
    expect([chain.last, masterchainBlock.id.seqno, masterchainBlock.info.gen_utime]).toEqual([2, 2, BEGUN + 2])
    const { gen_catchain_seqno, gen_validator_list_hash_short } = masterchainBlock.info
    const validators = [{ public_key: VALIDATOR_KEY.publicKey, weight: 1n, adnl_addr: VALIDATOR_ADNL_ADDRESS }]
    const weight = checkSignatures(masterchainBlock.id, signatureSetOfTl(chain.signatures(2)!), {
      catchain_seqno: gen_catchain_seqno,
      validator_list_hash_short: gen_validator_list_hash_short,
      validators,
      total_weight: 1n,
    })
    expect(weight).toBe(1n)
  })

  test('makes blocks of shards that have nothing to do only when their last ones are old', async () => {
    const { step } = await newChain()
    await step(BEGUN + 1)
    const made = [2, 2, 3, 4, 5, 5].map((second) => BEGUN + second)
    const counts: number[] = []
    for (const now of made) counts.push((await step(now)).shardBlocks.length)
    expect(counts).toEqual([1, 0, 0, 0, 1, 0])
    expect((await step(BEGUN + 5, { everyShard: true })).shardBlocks.length).toBe(1)
  })

  test('puts messages into a block, once', async () => {
    const { step, send, waiting } = await newChain()
    await step(BEGUN + 1)
    const sent = [message(1n), message(2n)]
    send(...sent)
    const { shardBlocks } = await step(BEGUN + 2)
    expect(shardBlocks.flatMap(({ taken }) => taken.map(hex))).toEqual(sent.map(hex))
    expect(waiting()).toEqual([])
    expect((await step(BEGUN + 2)).shardBlocks.flatMap(({ taken }) => taken)).toEqual([])
  })

  test('of the same chain makes the same blocks', async () => {
    const ids = await Promise.all(
      [0, 1].map(async () => {
        const { step, send } = await newChain()
        for (let i = 1n; i < 5n; i++) {
          send(message(i))
          await step(BEGUN + Number(i))
        }
        return (await step(BEGUN + 9)).masterchainBlock.id.file_hash.toString('hex')
      }),
    )
    expect(ids[0]).toBe(ids[1]!)
  })
})

describe('trouble', () => {
  const bad = message(666n)
  const breaking: ProducerOptions['collateShard'] = (input) => {
    if (input.externals.some((cell) => cell.hash().equals(bad.hash()))) throw new Error('no block with this')
    return shardBlockSteps(input)
  }

  test('a message that no block can be made with is dropped, and no other one', async () => {
    const { chain, step, send, dropped, waiting } = await newChain({ collateShard: breaking })
    await step(BEGUN + 1)
    const good = Array.from({ length: 9 }, (_, i) => message(BigInt(i)))
    send(...good.slice(0, 7), bad, ...good.slice(7))
    const taken: string[] = []
    for (let i = 0; i < 8; i++) {
      const { shardBlocks } = await step(BEGUN + 2)
      taken.push(...shardBlocks.flatMap((block) => block.taken.map(hex)))
    }
    expect(dropped).toEqual([hex(bad)])
    expect(taken).toEqual(good.map(hex))
    expect([waiting(), chain.last]).toEqual([[], 9])
  })

  test('a shard whose blocks cannot be made does not hold up the masterchain', async () => {
    const { chain, step } = await newChain({
      collateShard: () => {
        throw new Error('no blocks today')
      },
    })
    for (let i = 1; i < 5; i++) expect((await step(BEGUN + i)).shardBlocks).toEqual([])
    expect(chain.last).toBe(4)
  })

  test('shard blocks that the masterchain cannot take are made anew', async () => {
    let refuse = true
    const { step } = await newChain({
      collateMasterchain: (input) => {
        if (refuse && input.shards.length > 0) throw new Error('not these')
        return masterchainBlockSteps(input)
      },
    })
    await step(BEGUN + 1)
    expect((await step(BEGUN + 2)).shardBlocks).toEqual([])
    refuse = false
    expect((await step(BEGUN + 3)).shardBlocks.map(({ id }) => id.seqno)).toEqual([1])
  })

  test('when it is told to end in the middle, the chain stays as it was', async () => {
    const ending = new AbortController()
    const { chain, step, send, waiting } = await newChain({
      signal: ending.signal,
      *collateShard(input) {
        ending.abort()
        return yield* shardBlockSteps(input)
      },
    })
    send(message(1n))
    await step(BEGUN + 1)
    await expect(step(BEGUN + 2)).rejects.toThrow('aborted')
    expect([chain.last, waiting().length]).toEqual([1, 1])
  })
})
