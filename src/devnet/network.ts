import { type Clock, systemClock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import { readNamedFile } from '../common/regular-file.ts'
import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import { MASTERCHAIN } from '../ton/block-id.ts'
import { parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import { createExecutor, type Executor } from '../tvm/executor.ts'
import type { TvmRunner } from '../tvm/local.ts'
import { fixedBound, timedBound } from './block-bound.ts'
import { type BlockLoop, startBlockLoop } from './block-loop.ts'
import { blockSigner } from './block-signer.ts'
import { masterchainBlockSteps } from './collate/masterchain-block.ts'
import { shardBlockSteps } from './collate/shard-block.ts'
import { createDevClock, type DevClock } from './dev-clock.ts'
import type { RemoteNetwork } from './fork/remote-network.ts'
import { MAX_BYTES, readAccountsFile } from './genesis/accounts-file.ts'
import { createGenesis } from './genesis/genesis.ts'
import { VALIDATOR_KEY } from './genesis/keys.ts'
import { createLiteserver, type Liteserver } from './liteserver-server.ts'
import { createMempool, type Mempool } from './mempool.ts'
import { createIntake, type MessageIntake } from './message-intake.ts'
import { openNetworkFork } from './network-fork.ts'
import { masterchainState, runOpening, sendingHead } from './opening.ts'
import { createProducer } from './producer.ts'
import { createResplit, type Resplit, type ShardLayout, shardLayout } from './resplit.ts'
import { openStoredChain, type StoredChain } from './stored-chain.ts'

export interface NetworkOptions {
  /** The folder of the chain. */
  folder: string
  /** Where the liteserver listens; port 0 takes a free one. */
  listen: { host: string; port: number }
  /** Ed25519 seed of the liteserver. */
  seed: Buffer
  /** Of the basechain, where the network is new. */
  shards: 1 | 2 | 4
  blockInterval: number | 'manual'
  /** Masterchain blocks after which the shards are split or merged. */
  resplitEvery: number | undefined
  /** A file of accounts that a new network begins with, beside its own. */
  load: string | undefined
  /** Unix seconds at which a clock of its own starts. */
  time: number | undefined
  /** The network whose accounts are taken in when they are first asked for. */
  fork?: RemoteNetwork | undefined
  tvm: TvmRunner
  logger: Logger
  /** As BlockLoopOptions.halted. */
  halted?: ((reason: string | undefined) => void) | undefined
  /** Is told of each external message that is taken: its bag of cells. */
  taken?: ((body: Buffer) => void) | undefined
  clock?: Clock
}

/** A network that runs: its chain grows, and its liteserver answers. */
export interface Network {
  chain: StoredChain
  liteserver: Liteserver
  loop: BlockLoop
  clock: DevClock
  resplit: Resplit
  mempool: Mempool
  intake: MessageIntake
  executor: Executor
  zeroState: BlockIdExt
  /** Waits some seconds for an account that may come from the network that this one is a fork of. Never rejects. */
  arrive(account: Address): Promise<void>
  /** Ends it, between two transactions; what was made until then is kept. */
  stop(): Promise<void>
}

/** A new network is this much older than its clock: each block of its opening has a second of its own. */
const OPENING_SECONDS = 60
/** By which a block moves a clock of its own on, where blocks are made on demand. */
const MANUAL_MS = 1_000
/** How often messages that are too old are looked for. */
const EXPIRE_BLOCKS = 16

const readLoadFile = (path: string): Buffer => readNamedFile('the accounts to load', path, MAX_BYTES)

/** Says which choices for a new network are of no use to one that is there already. */
const tellUnused = ({ load, shards }: NetworkOptions, { min_split }: ShardLayout, logger: Logger): void => {
  if (load !== undefined)
    logger.warn({ load }, 'not loaded: the network is there already (see tonlith dev load, and --fresh)')
  if (shards !== 1 << min_split)
    logger.info({ shards: 1 << min_split }, 'the network is there already with so many shards (see --fresh)')
}

/**
 * Opens the network in a folder, makes a new one where there is none, and starts it.
 * @throws TonlithError as openStoredChain, createLiteserver and Producer.step do; nothing runs then
 */
export const startNetwork = async (options: NetworkOptions): Promise<Network> => {
  const { blockInterval, time, tvm, logger, clock = systemClock } = options
  const ending = new AbortController()
  const { signal } = ending
  const start = time ?? Math.floor(clock.now() / 1000)
  let isNew = false
  const genesis = () => {
    isNew = true
    const { shards, load } = options
    const gen_utime = start - OPENING_SECONDS
    const accounts = load === undefined ? [] : readAccountsFile(readLoadFile(load), gen_utime)
    const { masterchain, basechain } = createGenesis({ gen_utime, shards, accounts })
    return [masterchain, basechain]
  }
  const [chain, executor] = await Promise.all([openStoredChain(options.folder, genesis), createExecutor()])
  try {
    if (!isNew) tellUnused(options, shardLayout(masterchainState(chain)), logger)
    const mempool = createMempool()
    /** The clock of the chain, until there is one that goes on from it. */
    let now = (): number => parseShardStateUnsplit(masterchainState(chain)).gen_utime
    const { fork: remote, folder } = options
    const onDemand = blockInterval === 'manual'
    const fork = remote && openNetworkFork({ remote, chain, folder, onDemand, now: () => now(), clock, signal, logger })
    /** The opening is the same on a fork. */
    let running: BlockLoop | undefined
    const arrive = async (account: Address): Promise<void> => {
      if (fork && running) await fork.arrive(account, running)
    }
    const intake = createIntake({
      executor,
      mempool,
      head: () => sendingHead(chain),
      now: () => now(),
      arrive,
      taken: options.taken,
    })
    const producer = createProducer({
      chain,
      collateShard: shardBlockSteps,
      collateMasterchain: masterchainBlockSteps,
      sign: blockSigner(VALIDATOR_KEY.seed),
      externals: {
        batch: mempool.batch,
        settle: intake.settle,
        drop: (message) => void mempool.settle({ taken: [message], refused: [] }),
      },
      executor,
      created_by: VALIDATOR_KEY.publicKey,
      awaits: fork && ((account) => running !== undefined && fork.awaits(account)),
      bound: blockInterval === 'manual' || time !== undefined ? fixedBound() : timedBound(blockInterval),
      signal,
      logger,
    })
    const plain = { everyShard: true, wishes: () => undefined, imports: [] }
    await runOpening({ chain, step: (now) => producer.step({ ...plain, now }), send: intake.send })
    const devClock = createDevClock({
      last: parseShardStateUnsplit(masterchainState(chain)).gen_utime,
      start: time,
      blockMs: blockInterval === 'manual' ? MANUAL_MS : blockInterval,
      unixMs: clock.now,
    })
    now = devClock.now
    const resplit = createResplit()
    const { resplitEvery } = options
    const liteserver = await createLiteserver({
      chain,
      head: chain.head,
      listen: options.listen,
      key: options.seed,
      logger,
      tvm,
      clock: { now: () => devClock.now() * 1000 },
      send: intake.send,
      sought: fork?.seek,
    })
    const loop = startBlockLoop({
      producer,
      folder,
      clock,
      devClock,
      interval: blockInterval,
      wishes: resplit.wishes,
      imports: fork?.imports,
      halted: options.halted,
      made: (step) => {
        const { id, state } = step.masterchainBlock
        fork?.made(step)
        if (id.seqno % EXPIRE_BLOCKS === 0) intake.expire()
        const layout = shardLayout(state)
        resplit.settle(layout)
        if (resplitEvery !== undefined && id.seqno % resplitEvery === 0) resplit.turn(layout)
      },
      signal,
      logger,
    })
    running = loop
    return {
      chain,
      liteserver,
      arrive,
      loop,
      clock: devClock,
      resplit,
      mempool,
      intake,
      executor,
      zeroState: chain.zerostate(MASTERCHAIN)!.id,
      stop: async () => {
        ending.abort()
        await loop.ended()
        await liteserver.stop()
        await chain.close()
      },
    }
  } catch (error) {
    ending.abort()
    await chain.close()
    throw error
  }
}
