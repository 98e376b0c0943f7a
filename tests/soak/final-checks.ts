import { blockIdText } from '../../src/ton/block-id.ts'
import type { Ledger } from './ledger.ts'
import type { Shop } from './payments.ts'
import { DIRECT_CONFIG, type Served } from './served.ts'
import type { World } from './world.ts'

const PAGE = 250
const TRIES = 5
const MAX_SHOWN = 5
const PATIENCE_MS = 90_000
const AUDITED = 40
const MISTAKE =
  /\b(Type|Range|Reference|Syntax)Error\b|a mistake in|the index broke|is damaged|unhandled|did not end well/i
/** SIGTERM ends the gateway within it. */
const DRAIN_S = 10

interface Page<T> {
  rows: T[]
  seqno: number
  next: string | null
}

/** The answer, asked for again while a busy machine has no time for it. */
const readPage = async (url: string): Promise<[Response, string]> => {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url)
    const text = await response.text()
    if (response.ok) return [response, text]
    if (response.status !== 504 || tries === TRIES) throw new Error(`${url}: ${response.status} ${text}`)
  }
}

/** All rows of a list of API v3, page by page, and the index's newest block at the end. */
const readAll = async <T>(url: string, path: string, rowsOf: (body: unknown) => T[]): Promise<T[]> => {
  const page = async (cursor: string | null): Promise<Page<T>> => {
    const more = cursor === null ? '' : `&cursor=${cursor}`
    const [response, text] = await readPage(`${url}${path}&limit=${PAGE}${more}`)
    return {
      rows: rowsOf(JSON.parse(text)),
      seqno: Number(response.headers.get('x-index-seqno')),
      next: response.headers.get('x-next-cursor'),
    }
  }
  const rows: T[] = []
  for (let cursor: string | null = null; ; ) {
    const found: Page<T> = await page(cursor)
    rows.push(...found.rows)
    if (found.rows.length < PAGE || found.next === null) return rows
    cursor = found.next
  }
}

/** Texts of a few of those that only one side has. */
const differences = (what: string, found: readonly string[], wanted: readonly string[]): string[] => {
  const [ours, chain] = [new Set(found), new Set(wanted)]
  const missing = wanted.filter((one) => !ours.has(one))
  const extra = found.filter((one) => !chain.has(one))
  const twice = found.length - ours.size
  return [
    ...(missing.length > 0
      ? [`${missing.length} ${what} are missing in the index: ${missing.slice(0, MAX_SHOWN)}`]
      : []),
    ...(extra.length > 0
      ? [`${extra.length} ${what} of the index are not on the chain: ${extra.slice(0, MAX_SHOWN)}`]
      : []),
    ...(twice > 0 ? [`${twice} ${what} are listed twice`] : []),
  ]
}

/** Waits until the index has come to a masterchain block; false when that takes too long. */
const untilIndexed = async (url: string, seqno: number): Promise<boolean> => {
  const end = performance.now() + PATIENCE_MS
  while (performance.now() < end) {
    const response = await fetch(`${url}/api/v3/masterchainInfo`)
    await response.arrayBuffer()
    if (Number(response.headers.get('x-index-seqno')) >= seqno) return true
    await Bun.sleep(200)
  }
  return false
}

/** What the index lacks of the chain up to a masterchain block, or has beyond it, by its own lists. */
const compareIndex = async (url: string, ledger: Ledger, seqno: number): Promise<string[]> => {
  const blocks = (
    await readAll(url, '/api/v3/blocks?sort=asc', (body) => (body as { blocks: IndexedBlock[] }).blocks)
  ).filter(({ masterchain_block_ref }) => masterchain_block_ref.seqno <= seqno)
  const transactions = (
    await readAll(
      url,
      '/api/v3/transactions?sort=asc',
      (body) => (body as { transactions: IndexedTransaction[] }).transactions,
    )
  ).filter(({ mc_block_seqno }) => mc_block_seqno <= seqno)
  const wanted = Array.from({ length: seqno }, (_, i) => [ledger.masterchain(i + 1)!, ...ledger.shards(i + 1)]).flat()
  return [
    ...differences(
      'blocks',
      blocks
        .filter(({ seqno }) => seqno > 0)
        .map(({ workchain, shard, seqno, root_hash }) => `(${workchain},${shard.toLowerCase()},${seqno}) ${root_hash}`),
      wanted.map(({ id }) => `${blockIdText(id)} ${id.root_hash.toString('base64')}`),
    ),
    ...differences(
      'transactions',
      transactions.map(({ account, lt, hash }) => `${account} ${lt} ${hash}`),
      wanted.flatMap(({ transactions }) => transactions.map(({ account, lt, hash }) => `${account} ${lt} ${hash}`)),
    ),
  ]
}

interface IndexedBlock {
  workchain: number
  shard: string
  seqno: number
  root_hash: string
  masterchain_block_ref: { seqno: number }
}

interface IndexedTransaction {
  account: string
  lt: string
  hash: string
  mc_block_seqno: number
}

/** Has the program itself compare its index with the chain: each row of all blocks, and so many accounts and tokens. */
const verifyIndex = async (served: Served, accounts: number): Promise<string[]> => {
  const from = ['--network', 'testnet', '--global-config', DIRECT_CONFIG, '--trust', 'full']
  const faults: string[] = []
  for (const what of [[], ['--live', String(accounts)]]) {
    const { code, stdout, stderr } = await served.verb(['index', 'verify', ...what, ...from])
    if (code !== 0)
      faults.push(`index verify ${what.join(' ')}: exit code ${code}: ${`${stdout}${stderr}`.slice(-1_000)}`)
  }
  return faults
}

/** Lines of a log that no fault of ours may bring about. */
const mistakes = (log: string): string[] =>
  log
    .split('\n')
    .filter((line) => MISTAKE.test(line))
    .slice(0, MAX_SHOWN)

/** Once nothing is under way any more: looks at what merchants were told, at the whole index, and at how it all ended. */
export const checkEnd = async (
  { ledger, targets: { served } }: World,
  shops: readonly Shop[],
  fail: (what: string) => void,
): Promise<void> => {
  for (const { check } of shops) check().forEach(fail)
  if (!served.hasDied() && ledger.failure() === undefined) {
    const seqno = ledger.head()
    if (!(await untilIndexed(served.url, seqno))) fail(`the index does not come to block ${seqno}`)
    const found = await compareIndex(served.url, ledger, seqno).catch((error) => [String(error)])
    found.forEach(fail)
    await served.end('SIGTERM')
    for (const fault of await verifyIndex(served, AUDITED)) fail(fault)
  }
  for (const { stderr } of served.lives)
    for (const line of mistakes(stderr())) fail(`the log tells of a mistake: ${line}`)
  for (const { ended } of served.lives)
    if (ended?.signal === 'SIGTERM' && (ended.code !== 0 || ended.seconds > DRAIN_S))
      fail(`SIGTERM ended it after ${ended.seconds.toFixed(1)} s with exit code ${ended.code}`)
}
