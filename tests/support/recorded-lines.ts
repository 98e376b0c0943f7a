import { join } from 'node:path'
import { folderReader } from '../../src/devnet/archive.ts'

const read = folderReader(join(import.meta.dir, '../fixtures/chain'))

/** A file of the recorded chain by its plain name, as text. */
export const recordedText = (name: string): string => {
  const file = read(name)
  if (!file) throw new Error(`the recording has no ${name}`)
  return file.toString('utf8')
}

/** A file with a JSON value on each line. */
export const recordedLines = <T>(name: string): T[] =>
  recordedText(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

/** What `blocks.jsonl` tells of a block. */
export interface BlockLine {
  workchain: number
  shard: string
  seqno: number
  root_hash: string
  file_hash: string
  mc_seqno: number
  gen_utime: number
  start_lt: string
  end_lt: string
  txs: number
  prev: string[]
  /** Flags stand in a line where they are set. */
  after_split?: true
  after_merge?: true
  before_split?: true
  key_block?: true
}
