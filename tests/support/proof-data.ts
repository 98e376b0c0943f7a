import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isTonlithError } from '../../src/common/errors.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { parseBoc } from '../../src/ton/boc.ts'
import { type Cell, MERKLE_PROOF } from '../../src/ton/cell.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { type BlockInfo, parseBlockInfo } from '../../src/ton/tlb/block-info.ts'
import { shardOf } from '../../src/ton/tlb/shard-ident.ts'

/** One bag of cells of the proof data and where it stands. */
export interface DataBoc {
  name: string
  bytes: Buffer
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name)
      return statSync(path).isDirectory() ? filesBelow(path) : [path]
    })

const bocsIn = (path: string): Buffer[] => {
  const bytes = readFileSync(path)
  if (!/\.(json|txt)$/.test(path)) return [bytes]
  const text = bytes.toString()
  return Array.from(text.matchAll(/te6cc[A-Za-z0-9+/]+=*/g), ([base64]) => Buffer.from(base64, 'base64'))
}

/** Every bag of cells in the folder, whether it stands in a file of its own or as base64 in a text. */
export const dataBocs = (folder: string): DataBoc[] =>
  filesBelow(folder).flatMap((path) =>
    bocsIn(path).map((bytes, i) => ({ name: `${path.slice(folder.length + 1)}#${i}`, bytes })),
  )

/** The roots of a bag, undefined for other bytes. */
export const rootsOf = (bytes: Buffer): Cell[] | undefined => {
  try {
    return parseBoc(bytes)
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return undefined
    throw error
  }
}

/** The header that a block, or a proof about one, shows; undefined where it is no block or its header is pruned. */
export const headerIn = (root: Cell): BlockInfo | undefined => {
  try {
    return parseBlockInfo(parseBlock(root.type === MERKLE_PROOF ? root.ref(0) : root).info)
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return undefined
    throw error
  }
}

/** The id that a block's own header and hash make; what it lacks is given. */
export const idOfHeader = (root: Cell, info: BlockInfo, file_hash = Buffer.alloc(32)): BlockIdExt => ({
  workchain: info.not_master ? info.shard.workchain_id : MASTERCHAIN,
  shard: info.not_master ? shardOf(info.shard) : SHARD_ALL,
  seqno: info.seq_no,
  root_hash: Buffer.from(root.type === MERKLE_PROOF ? root.ref(0).hash(0) : root.hash()),
  file_hash,
})
