import { readSync } from 'node:fs'
import type { Steps } from '../common/steps.ts'
import {
  type LargeData,
  largeDataFault,
  largeDataOf,
  PAGE_HEADER,
  type PageKind,
  type PageNode,
  readPage,
  readTreeRecord,
  type TreeRecord,
} from './page.ts'

/**
 * Pages that are looked at, those near the roots first: 1 GiB, a few seconds. Of a larger file the rest is believed: to
 * read all of it at each start would take minutes.
 */
const MOST_PAGES = 1 << 18

/** Pages of one step: some 4 ms. */
const STEP_PAGES = 512

const DEEPEST = 32
const META_PAGES = 2
const FREE = 'free pages'
const MAIN = 'tables'

/** What the newest transaction says of an open file. */
export interface Snapshot {
  file: number
  pageSize: number
  /** Number of the last page. */
  lastPage: number
  /** The tree of free pages, and the tree of all tables. */
  free: TreeRecord
  main: TreeRecord
}

/** How much of a file is looked at. */
export interface Look {
  /** Tables whose trees are; all, where nothing is said. */
  tables?: readonly string[] | undefined
  /** Pages at most, those near the roots first. */
  pages?: number | undefined
}

/** A page that is to be looked at. */
interface Due {
  page: number
  /** Levels below, 0 for a leaf. */
  below: number
  tree: string
}

/** Which pages were met already. */
const createMet = (pages: number) => {
  const bits = new Uint8Array(Math.ceil(pages / 8))
  /** True the first time. */
  return (page: number): boolean => {
    const [at, bit] = [page >>> 3, 1 << (page & 7)]
    const isNew = (bits[at]! & bit) === 0
    bits[at]! |= bit
    return isNew
  }
}

const isAscending = (page: Buffer, nodes: readonly PageNode[], first: number): boolean => {
  for (let i = first + 1; i < nodes.length; i++) {
    const [before, node] = [nodes[i - 1]!, nodes[i]!]
    if (page.compare(page, node.key, node.keyEnd, before.key, before.keyEnd) >= 0) return false
  }
  return true
}

/** The stretches of pages that a record of the free ones lists: a negative number is the length of what follows. */
function* freeStretches(list: Buffer): Generator<{ page: bigint; pages: bigint }> {
  const count = list.readBigUInt64LE(0)
  if (count > BigInt(list.length / 8 - 1)) {
    yield { page: -1n, pages: 0n }
    return
  }
  let pages = 1n
  for (let i = 1; i <= Number(count); i++) {
    const entry = list.readBigInt64LE(8 * i)
    if (entry < 0n) pages = -entry
    else {
      if (entry > 0n) yield { page: entry, pages }
      pages = 1n
    }
  }
}

/**
 * Looks at the trees of a file, from the roots down, as LMDB would read them. Gives what is wrong with the first page
 * that is; undefined when nothing is.
 */
export function* walkFault(data: Snapshot, { tables, pages = MOST_PAGES }: Look): Steps<string | undefined> {
  const { file, pageSize, lastPage, free, main } = data
  const isNew = createMet(lastPage + 1)
  const isPage = (page: number, pages = 1): boolean => page >= META_PAGES && page + pages - 1 <= lastPage
  const bytes = Buffer.alloc(pageSize)
  let left = pages

  const read = (page: number, buffer = bytes): boolean =>
    readSync(file, buffer, 0, buffer.length, page * pageSize) === buffer.length

  const rootOf = (tree: string, { root, depth }: TreeRecord): Due | string | undefined => {
    if (root === undefined) return undefined
    if (depth < 1 || depth > DEEPEST) return `the tree of ${tree} has ${depth} levels`
    return { page: root, below: depth - 1, tree }
  }

  const largeFault = (large: LargeData): string | undefined => {
    const { page, pages } = large
    if (!isPage(page, pages)) return `page ${page} is not there`
    if (left-- <= 0) return undefined
    const first = Buffer.alloc(pageSize)
    const fault = read(page, first) ? largeDataFault(first, large) : 'it cannot be read'
    if (fault !== undefined) return `page ${page}: ${fault}`
    for (let i = 0; i < pages; i++) if (!isNew(page + i)) return `page ${page + i} is used twice`
    return undefined
  }

  const freeFault = (node: PageNode): string | undefined => {
    if (node.keyEnd - node.key !== 8 || node.number < 8 || node.number % 8 !== 0) return 'a list of free pages is none'
    let list = bytes.subarray(node.keyEnd, node.end)
    if (node.isBig) {
      const { page, pages } = largeDataOf(bytes, node)
      const whole = Buffer.alloc(pages * pageSize)
      if (!read(page, whole)) return 'a list of free pages cannot be read'
      list = whole.subarray(PAGE_HEADER, PAGE_HEADER + node.number)
    }
    for (const { page, pages } of freeStretches(list)) {
      const [at, count] = [Number(page), Number(pages)]
      if (!isPage(at, count)) return 'a list of free pages names one that is not there'
      for (let i = 0; i < count; i++) if (!isNew(at + i)) return `page ${at + i} is used and free`
    }
    return undefined
  }

  const tableFault = (node: PageNode, next: Due[]): string | undefined => {
    const name = bytes.toString('utf8', node.key, node.keyEnd).replace(/\0$/, '')
    if (!node.isTree) return `the table ${name} is none`
    const record = readTreeRecord(bytes, node.keyEnd)
    if (record.flags !== 0) return `the table ${name} is of another kind`
    const root = rootOf(name, record)
    if (typeof root === 'string') return root
    if (root && (tables === undefined || tables.includes(name))) next.push(root)
    return undefined
  }

  /** What stands in a leaf, beyond the page. Trees of tables are added to `next`. */
  const leafFault = (nodes: readonly PageNode[], tree: string, next: Due[]): string | undefined => {
    for (const node of nodes) {
      if (node.isTree && tree !== MAIN) return 'it has a table where there is none'
      const fault =
        (node.isBig ? largeFault(largeDataOf(bytes, node)) : undefined) ??
        (tree === MAIN ? tableFault(node, next) : tree === FREE ? freeFault(node) : undefined)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  const pageFault = ({ page, below, tree }: Due, next: Due[]): string | undefined => {
    if (!isPage(page)) return 'it is not there'
    if (!isNew(page)) return 'it is used twice'
    if (!read(page)) return 'it cannot be read'
    const kind: PageKind = below > 0 ? 'branch' : 'leaf'
    const nodes = readPage(bytes, page, kind)
    if (typeof nodes === 'string') return nodes
    if (kind === 'branch' && nodes.length < 2 && tree !== FREE) return 'it has one entry'
    if (tree !== FREE && !isAscending(bytes, nodes, kind === 'branch' ? 1 : 0)) return 'its keys are not in order'
    if (kind === 'leaf') return leafFault(nodes, tree, next)
    for (const { number } of nodes) if (next.length < left) next.push({ page: number, below: below - 1, tree })
    return undefined
  }

  /** Level by level: a file that is not looked through to the end is believed in its leaves. */
  const walk = function* (roots: readonly (Due | string | undefined)[]): Steps<string | undefined> {
    let level: Due[] = []
    for (const root of roots) {
      if (typeof root === 'string') return root
      if (root) level.push(root)
    }
    while (level.length > 0) {
      const next: Due[] = []
      for (const due of level) {
        if (left-- <= 0) return undefined
        if (left % STEP_PAGES === 0) yield
        const fault = pageFault(due, next)
        if (fault !== undefined) return `page ${due.page} of ${due.tree}: ${fault}`
      }
      level = next
    }
    return undefined
  }

  const fault = yield* walk([rootOf(MAIN, main)])
  if (fault !== undefined || tables !== undefined) return fault
  return yield* walk([rootOf(FREE, free)])
}
