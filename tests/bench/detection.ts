import { hash } from 'node:crypto'
import { completeBatch, withoutCells } from '../../src/indexer/accounts.ts'
import { createCodeBook } from '../../src/indexer/code-book.ts'
import { createDetector, type Detector } from '../../src/indexer/detect.ts'
import { detectAccount } from '../../src/indexer/detect-account.ts'
import { openDetectionContracts } from '../../src/indexer/detection-contracts.ts'
import { noDetectionCounts } from '../../src/indexer/detection-counts.ts'
import type { DetectionSource } from '../../src/indexer/detection-source.ts'
import { actionNoter } from '../../src/indexer/note-actions.ts'
import { openBlock } from '../../src/indexer/opened-block.ts'
import { parseBatch } from '../../src/indexer/parse.ts'
import { joinTraces } from '../../src/indexer/trace.ts'
import { batchTransfers } from '../../src/indexer/transfers.ts'
import type { Batch, BatchAccount } from '../../src/model/batch.ts'
import type { DetectedAccount } from '../../src/model/entities.ts'
import type { TraceJoin } from '../../src/model/trace-changes.ts'
import { knownCells } from '../../src/store/account-cells.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../src/store/write.ts'
import { neededCells } from '../../src/store/write-accounts.ts'
import { rawAddress } from '../../src/ton/address.ts'
import { type Cell, PRUNED_BRANCH } from '../../src/ton/cell.ts'
import { makeCell, withRefs } from '../../src/ton/data-cell.ts'
import { createLocalTvm, type TvmRunner } from '../../src/tvm/local.ts'
import { knowing } from '../support/knowing-parent.ts'
import { recordedBatch } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { recordedDetectionSource } from '../support/recorded-detection.ts'
import { temporaryIndex } from '../support/temporary-index.ts'
import { readFatBlock } from './fat-block.ts'
import { mainnetBlocks, withoutMasterchain } from './index-batches.ts'
import { shiftedBatch } from './shifted-batch.ts'
import { figure, type Row } from './table.ts'

/** How often the full block is repeated, after as many for warming up as half of that. */
const REPEATS = 40
/** Batches by which everything is warm. */
const WARM_UP = 100
const LT_STEP = 100_000_000n
/** So that no block follows another one that is stored: they are not of one chain. */
const SEQNO_STEP = 2

/** Batches as they come from blocks, and what detection is to know of the network. */
interface Sample {
  name: string
  /** Batches that are written first and do not count. */
  before: readonly Batch[]
  count: number
  warmUp: number
  /** Makes a batch ready, which does not count; what it gives parses it, which does. */
  batch(n: number): () => Batch
  config(batch: Batch): Promise<Cell>
  source: DetectionSource
  /** Messages go where nothing is indexed. They count as taken, so that traces are complete. */
  isPart: boolean
}

/** What is done beside parsing and writing. */
interface Doing {
  detection: boolean
  actions: boolean
}

interface Figures {
  /** Milliseconds of processor time for one batch. */
  ms: number
  accounts: number
  runs: number
  /** Traces that were classified and had actions. */
  traces: number
}

const detected = async (store: IndexStore, batch: Batch, detector: Detector, config: Cell): Promise<Batch> => {
  const { tables, addresses } = store
  const isNewest = (account: BatchAccount): boolean => neededCells(tables, addresses, account)?.data === true
  const found = await detector.detect(store, batch, config, isNewest)
  return { ...found, transfers: batchTransfers(store, found) }
}

/** As joinTraces, every trace being complete. */
const joinEnded: TraceJoin = (batch, stored) => {
  const changes = joinTraces(batch, stored)
  return { ...changes, put: changes.put.map((trace) => ({ ...trace, state: 'complete', pending_edges: 0 })) }
}

/** An index into which batches of a sample are written, and what that took since they count. */
interface Writing {
  write(batch: () => Batch): Promise<void>
  /** From here on it counts. */
  begin(): void
  figures(): Figures
  remove(): Promise<void>
}

/** Writes batches to an index of its own, as indexer/store-bundle.ts does. */
const writing = async (
  { before, config, source, isPart }: Sample,
  tvm: TvmRunner,
  { detection, actions }: Doing,
): Promise<Writing> => {
  const { index, remove } = await temporaryIndex()
  const join = isPart ? joinEnded : joinTraces
  const note = actions ? actionNoter(openIndexReader(index)) : undefined
  const { environment, tables, addresses } = index
  const detector = createDetector({ tvm, source, counts: noDetectionCounts() })
  const cells = knownCells(tables.account_cells)
  let [cpu, written] = [0, 0]
  const counted = (): Omit<Figures, 'ms'> => {
    environment.renew()
    return { accounts: detector.counts.accounts, runs: detector.counts.runs, traces: tables.actions.getCount() }
  }
  for (const one of before) writeBatch(index, detection ? one : { ...one, detected: [] }, join)
  let first = counted()
  return {
    write: async (batch) => {
      const start = process.cpuUsage()
      const parsed = batch()
      environment.renew()
      const completed = completeBatch(parsed, cells, (account) => neededCells(tables, addresses, account))
      const whole = completed.missing.reduce(withoutCells, completed.batch)
      const told = detection ? await detected(index, whole, detector, await config(parsed)) : whole
      writeBatch(index, told, join, 'range', note)
      const { user, system } = process.cpuUsage(start)
      cpu += user + system
      written++
    },
    begin: () => {
      ;[cpu, written, first] = [0, 0, counted()]
    },
    figures: () => {
      const now = counted()
      return {
        ms: cpu / 1000 / written,
        accounts: (now.accounts - first.accounts) / written,
        runs: (now.runs - first.runs) / written,
        traces: (now.traces - first.traces) / written,
      }
    },
    remove,
  }
}

/** Writes the sample once for each way to do it, the ways in turn, so that what else the machine does slows all of them. */
const writtenBeside = async (sample: Sample, tvm: TvmRunner, ways: readonly Doing[]): Promise<Figures[]> => {
  const { count, warmUp, batch } = sample
  const all = await Promise.all(ways.map((way) => writing(sample, tvm, way)))
  try {
    for (let n = 0; n < count; n++) {
      if (n === warmUp) for (const one of all) one.begin()
      for (const one of all) await one.write(batch(n))
    }
    return all.map((one) => one.figures())
  } finally {
    await Promise.all(all.map((one) => one.remove()))
  }
}

/** The first time is not told of: the emulator starts in it. */
const rowsOf = async (sample: Sample): Promise<Row[]> => {
  const tvm = createLocalTvm()
  const [plain, detecting, all] = [
    { detection: false, actions: false },
    { detection: true, actions: false },
    { detection: true, actions: true },
  ]
  await writtenBeside({ ...sample, count: Math.min(sample.count, WARM_UP), warmUp: 0 }, tvm, [all])
  const [without, found, whole] = (await writtenBeside(sample, tvm, [plain, detecting, all])) as [
    Figures,
    Figures,
    Figures,
  ]
  const detection = {
    what: `index: ${sample.name}, with detection (${figure(found.accounts, 'accounts')}, ${figure(found.runs, 'runs')})`,
    ours: figure(found.ms, 'cpu-ms/block'),
    beside: `without ${figure(without.ms, 'cpu-ms/block')}`,
    ratio: `+${Math.round((found.ms / without.ms - 1) * 100)} %`,
  }
  const actions = {
    what: `index: the same with what traces did (${figure(whole.traces, 'traces')})`,
    ours: figure(whole.ms, 'cpu-ms/block'),
    beside: `without ${figure(found.ms, 'cpu-ms/block')}`,
    ratio: `${Math.round((1 - found.ms / whole.ms) * 100)} % of it`,
  }
  return [detection, actions]
}

const recorded = (): Sample => {
  const chain = recordedChain()
  const source = recordedDetectionSource(chain)
  return {
    name: 'recorded network from its beginning',
    before: [],
    count: chain.last,
    warmUp: 0,
    batch: (n) => () => recordedBatch(chain, n + 1),
    config: (batch) => source.config(openBlock(batch.mc, chain.block(batch.mc)!.data)),
    source,
    isPart: false,
  }
}

/** The tree as the Merkle update of a block shows it that comes after a state with the `known` cells. */
const shownAfter = (cell: Cell, known: ReadonlySet<string>): Cell => {
  if (cell.level > 0) return cell
  if (cell.refCount > 0 && known.has(cell.hash().toString('latin1'))) {
    const bytes = Buffer.concat([
      Buffer.of(PRUNED_BRANCH, 1),
      cell.hash(),
      Buffer.of(cell.depth() >> 8, cell.depth() & 255),
    ])
    return makeCell(bytes, bytes.length * 8, [], true)
  }
  const refs = Array.from({ length: cell.refCount }, (_, i) => shownAfter(cell.ref(i), known))
  return refs.every((ref, i) => ref === cell.ref(i)) ? cell : withRefs(cell, refs)
}

const noteCells = (cell: Cell, known: Set<string>): void => {
  known.add(cell.hash(0).toString('latin1'))
  for (let i = 0; i < cell.refCount; i++) noteCells(cell.ref(i), known)
}

/** The accounts as a block shows them that comes after one that left the `others`. */
const partsAfter = (accounts: readonly BatchAccount[], others: readonly BatchAccount[]): BatchAccount[] => {
  const before = new Map(others.map((other) => [other.address.hash.toString('hex'), other]))
  return accounts.map((account) => {
    const known = new Set<string>()
    const other = before.get(account.address.hash.toString('hex'))
    for (const cell of [other?.code, other?.data]) if (cell) noteCells(cell, known)
    const part = (cell: Cell | null): Cell | null => cell && shownAfter(cell, known)
    return { ...account, code: part(account.code), data: part(account.data) }
  })
}

/**
 * The full block of mainnet again and again, its accounts in their states before and after it in turn. They were detected
 * before, as if their parents knew them.
 */
const fatBlock = async (folder: string): Promise<Sample> => {
  const { open, before, config, libraries } = readFatBlock(folder)
  const { masterchain } = mainnetBlocks(folder)
  const source: DetectionSource = { config: async () => config, libraries, account: async () => undefined }
  const parse = (): Batch => withoutMasterchain(parseBatch(masterchain, [open()]))
  const sample = parse()
  const first = { ...sample, accounts: before }
  const { index, remove } = await temporaryIndex()
  const found: DetectedAccount[] = []
  writeBatch(index, first, joinTraces)
  index.environment.renew()
  const after = completeBatch(sample, knownCells(index.tables.account_cells)).batch.accounts
  const contracts = openDetectionContracts({
    store: index,
    batch: first,
    config,
    tvm: createLocalTvm(),
    codes: createCodeBook(libraries),
    source,
    counts: noDetectionCounts(),
    failures: new Map(),
  })
  for (const account of before) {
    const { address, code_hash, data_hash, last_transaction } = account
    const known = { stored: [], data: () => contracts.dataOf(account), zones: async () => [] }
    if (!(await contracts.codeOf(account))?.mayBeSomething()) continue
    const entities = await detectAccount(knowing(address, contracts.methods(0)), account, known)
    if (entities.length > 0)
      found.push({ address, last_transaction_lt: last_transaction.lt, code_hash, data_hash, entities })
  }
  await remove()
  const [shownBefore, shownBehind] = [partsAfter(before, after), partsAfter(after, before)]
  const last = new Map(after.map(({ address, last_transaction }) => [rawAddress(address), last_transaction]))
  return {
    name: `mainnet block of ${sample.transactions.length} transactions`,
    before: [{ ...first, detected: found }],
    count: REPEATS + REPEATS / 2,
    warmUp: REPEATS / 2,
    batch: (n) => {
      const shift = { seqno: sample.mc.seqno + SEQNO_STEP * (n + 1), lt: LT_STEP * BigInt(n + 1), seconds: n + 1 }
      const accounts = (n % 2 === 0 ? shownBehind : shownBefore).map((account): BatchAccount => {
        const { lt, hash: last_hash } = last.get(rawAddress(account.address))!
        const state_hash = hash('sha256', Buffer.concat([account.state_hash, Buffer.from(`${n}`)]), 'buffer')
        return { ...account, state_hash, last_transaction: { lt: lt + shift.lt, hash: last_hash } }
      })
      const shifted = { ...shiftedBatch({ ...sample, accounts: [] }, shift, undefined), accounts }
      return () => {
        parse()
        return shifted
      }
    },
    config: async () => config,
    source,
    isPart: true,
  }
}

/** Shard blocks of mainnet, one after the other as they are: of accounts that none of them shows nothing can be told. */
const shardBlocks = (folder: string): Sample => {
  const { config, libraries } = readFatBlock(folder)
  const { masterchain, shards } = mainnetBlocks(folder)
  return {
    name: `mainnet shard blocks of which the states before are not there`,
    before: [],
    count: shards.length,
    warmUp: 0,
    batch: (n) => () => {
      const batch = withoutMasterchain(parseBatch(masterchain, [shards[n]!()]))
      const mc = { ...batch.mc, seqno: batch.mc.seqno + SEQNO_STEP * n }
      return {
        ...batch,
        mc,
        blocks: batch.blocks.map((block) => (block.id === batch.mc ? { ...block, id: mc } : block)),
      }
    },
    config: async () => config,
    source: { config: async () => config, libraries, account: async () => undefined },
    isPart: true,
  }
}

/** What it costs to find out what accounts are, beside parsing and writing the same blocks. */
export const benchDetection = async (): Promise<Row[]> => {
  const folder = process.env['TONLITH_CHAIN_DATA']
  const samples = [recorded(), ...(folder ? [await fatBlock(folder), shardBlocks(folder)] : [])]
  const rows: Row[] = []
  for (const sample of samples) rows.push(...(await rowsOf(sample)))
  return rows
}
