/**
 * Pages of LMDB's file, read without LMDB (its own code, mdb.c, is the source): it ends the process when it comes upon a
 * page that is none. All numbers are little-endian.
 */

/** A tree of pages, as a meta page or a record of the main tree describes it (MDB_db). */
export interface TreeRecord {
  flags: number
  /** Levels, 1 for a tree of one leaf. */
  depth: number
  entries: bigint
  /** Page number of its root; undefined for an empty tree. */
  root: number | undefined
}

export const TREE_RECORD_BYTES = 48
const NO_PAGE = 0xffff_ffff_ffff_ffffn

export const readTreeRecord = (bytes: Buffer, at = 0): TreeRecord => {
  const root = bytes.readBigUInt64LE(at + 40)
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    entries: bytes.readBigUInt64LE(at + 32),
    root: root === NO_PAGE ? undefined : Number(root),
  }
}

/** Bytes in front of what a page holds. */
export const PAGE_HEADER = 24
/** Offsets in that header. */
const HEADER = { number: 0, flags: 18, lower: 20, upper: 22, pages: 20 }
const PAGE_KINDS = 0x7f
const BRANCH = 1
const LEAF = 2
const OVERFLOW = 4

const NODE_HEADER = 8
const POINTER = 2
const BIG_DATA = 1
const SUB_TREE = 2
/** What a leaf has in the place of data that stand on pages of their own: first page, transaction, number of pages. */
const BIG_DATA_BYTES = 24
/** Bytes of the longest key that LMDB takes, with pages of 4 KiB. */
const LONGEST_KEY = 1978

export type PageKind = 'branch' | 'leaf'

/** One entry of a page, by where its parts stand in the page. */
export interface PageNode {
  key: number
  keyEnd: number
  /** Of a leaf: where its data end, which stand behind the key; those of large ones stand on other pages. */
  end: number
  /** Of a branch: the page below. Of a leaf: bytes of the data. */
  number: number
  isBig: boolean
  /** Whether the data are a TreeRecord. */
  isTree: boolean
}

/** Data that stand on pages of their own. */
export interface LargeData {
  page: number
  pages: number
  bytes: number
}

export const largeDataOf = (page: Buffer, { keyEnd, number }: PageNode): LargeData => ({
  page: Number(page.readBigUInt64LE(keyEnd)),
  pages: Number(page.readBigUInt64LE(keyEnd + 16)),
  bytes: number,
})

const branchNode = (page: Buffer, at: number): PageNode | string => {
  const key = at + NODE_HEADER
  const keyEnd = key + page.readUInt16LE(at + 6)
  if (keyEnd > page.length || keyEnd - key > LONGEST_KEY) return 'a key that is too long'
  const number = page.readUInt32LE(at) + page.readUInt16LE(at + 4) * 0x1_0000_0000
  return { key, keyEnd, end: keyEnd, number, isBig: false, isTree: false }
}

const leafNode = (page: Buffer, at: number): PageNode | string => {
  const key = at + NODE_HEADER
  const keyEnd = key + page.readUInt16LE(at + 6)
  if (keyEnd > page.length || keyEnd - key > LONGEST_KEY) return 'a key that is too long'
  const number = page.readUInt32LE(at)
  const flags = page.readUInt16LE(at + 4)
  if (flags & ~(BIG_DATA | SUB_TREE)) return 'an entry of a kind that is not used'
  const isBig = (flags & BIG_DATA) !== 0
  const isTree = (flags & SUB_TREE) !== 0
  if (isTree && (isBig || number !== TREE_RECORD_BYTES)) return 'a record of a tree that is none'
  const end = keyEnd + (isBig ? BIG_DATA_BYTES : number)
  return end > page.length ? 'data that are too long' : { key, keyEnd, end, number, isBig, isTree }
}

const even = (bytes: number): number => bytes + (bytes & 1)

/** What a page is damaged by, or its entries. */
export const readPage = (page: Buffer, number: number, kind: PageKind): PageNode[] | string => {
  if (page.readBigUInt64LE(HEADER.number) !== BigInt(number)) return 'it has another number'
  if ((page.readUInt16LE(HEADER.flags) & PAGE_KINDS) !== (kind === 'branch' ? BRANCH : LEAF)) return `it is no ${kind}`
  const room = page.length - PAGE_HEADER
  const [lower, upper] = [page.readUInt16LE(HEADER.lower), page.readUInt16LE(HEADER.upper)]
  if (lower < POINTER || lower % POINTER !== 0 || lower > upper || upper > room) return 'its bounds are none'
  const nodeAt = kind === 'branch' ? branchNode : leafNode
  const nodes: PageNode[] = []
  let used = 0
  for (let pointer = 0; pointer < lower; pointer += POINTER) {
    const at = page.readUInt16LE(PAGE_HEADER + pointer)
    if (at % 2 !== 0 || at < upper || at + NODE_HEADER > room) return 'an entry stands outside of it'
    const node = nodeAt(page, PAGE_HEADER + at)
    if (typeof node === 'string') return `it has ${node}`
    nodes.push(node)
    used += even(node.end - PAGE_HEADER - at)
  }
  return used === room - upper ? nodes : 'its entries overlap'
}

/** What the first of the pages of large data is damaged by; undefined when it is right. */
export const largeDataFault = (page: Buffer, { page: number, pages, bytes }: LargeData): string | undefined => {
  if (page.readBigUInt64LE(HEADER.number) !== BigInt(number)) return 'it has another number'
  if ((page.readUInt16LE(HEADER.flags) & PAGE_KINDS) !== OVERFLOW) return 'it does not hold large data'
  const needed = Math.floor((PAGE_HEADER - 1 + bytes) / page.length) + 1
  return page.readUInt32LE(HEADER.pages) === pages && pages === needed ? undefined : 'its data have another length'
}
