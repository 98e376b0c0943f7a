import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { Logger } from '../common/logger.ts'
import { readRegularFile, UnreadableFile } from '../common/regular-file.ts'
import type { TrustStore } from '../liteserver/trust.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'

const FILE = 'trusted-key-blocks.json'
const MAX_BYTES = 4 << 20

/** The newest trusted key block of each network, by the file hash of its zero state. */
type Stored = Record<string, { seqno: number; root_hash: string; file_hash: string }>

const HASH = /^[0-9a-f]{64}$/

const read = (path: string): Stored => {
  try {
    return JSON.parse(readRegularFile(path, MAX_BYTES).toString('utf8')) as Stored
  } catch (error) {
    if (error instanceof UnreadableFile && error.missing) return {}
    throw error
  }
}

/** What a save keeps of a file beside its own network: nothing of one that is damaged. */
const readTolerantly = (path: string): Stored => {
  try {
    return read(path)
  } catch {
    return {}
  }
}

const networkOf = (zeroState: BlockIdExt): string => zeroState.file_hash.toString('hex')

/**
 * Keeps the key blocks that trust has reached in a file of the data folder, so that the next start needs no proof from
 * the init block on. A file that cannot be read or written costs only that: it is logged, and trust starts further back.
 */
export const createTrustStore = (folder: string, logger: Logger): TrustStore => {
  const path = join(folder, FILE)
  return {
    load: (zeroState) => {
      try {
        const found = read(path)[networkOf(zeroState)]
        if (!found) return null
        const { seqno, root_hash, file_hash } = found
        if (!Number.isSafeInteger(seqno) || !HASH.test(root_hash) || !HASH.test(file_hash))
          throw new Error('no block id')
        return {
          workchain: MASTERCHAIN,
          shard: SHARD_ALL,
          seqno,
          root_hash: Buffer.from(root_hash, 'hex'),
          file_hash: Buffer.from(file_hash, 'hex'),
        }
      } catch (err) {
        logger.warn({ err, file: FILE }, 'the trusted key blocks are not readable')
        return null
      }
    },
    save: (zeroState, { seqno, root_hash, file_hash }) => {
      try {
        mkdirSync(folder, { recursive: true })
        const entry = { seqno, root_hash: root_hash.toString('hex'), file_hash: file_hash.toString('hex') }
        // Another process may save at the same time, and another thread of this one.
        const unfinished = `${path}.${process.pid}.${threadId}.new`
        writeFileSync(unfinished, JSON.stringify({ ...readTolerantly(path), [networkOf(zeroState)]: entry }))
        renameSync(unfinished, path)
      } catch (err) {
        logger.warn({ err, file: FILE }, 'the trusted key block could not be kept')
      }
    },
  }
}
