import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import blocksBin from '../../tests/fixtures/chain/blocks.bin.zst' with { type: 'file' }
import blocksJsonl from '../../tests/fixtures/chain/blocks.jsonl.zst' with { type: 'file' }
import signaturesJson from '../../tests/fixtures/chain/signatures.json.zst' with { type: 'file' }
import zerostateBase from '../../tests/fixtures/chain/zerostate-base.boc.zst' with { type: 'file' }
import zerostateMc from '../../tests/fixtures/chain/zerostate-mc.boc.zst' with { type: 'file' }
import zerostatesJson from '../../tests/fixtures/chain/zerostates.json.zst' with { type: 'file' }
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { type BlockIdExt, MASTERCHAIN } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { parseBlock } from '../ton/tlb/block.ts'
import { type BlockInfo, parseBlockInfo } from '../ton/tlb/block-info.ts'
import { readSignatures, type SignatureSet, signaturesOfAnswers, signaturesOfApi } from './archive-signatures.ts'

/** One block of a recording: its bytes as `liteServer.getBlock` gave them, and the masterchain block that brought it. */
export interface RecordedBlock {
  id: BlockIdExt
  mc_seqno: number
  data: Buffer
}

/** A recorded network, whole: from the zerostates on, every block that the masterchain committed. */
export interface Recording {
  /** By masterchain block, shard blocks before the masterchain block that brought them. */
  blocks: RecordedBlock[]
  zerostates: { id: BlockIdExt; data: Buffer }[]
  /** Validators' signatures of masterchain blocks by seqno; a recording has them for a few blocks only. */
  signatures: ReadonlyMap<number, SignatureSet>
}

/** Gives a file of a recording by its plain name, uncompressed; undefined when the recording does not have it. */
export type ReadFile = (name: string) => Buffer | undefined

type IdFields = { workchain: number; shard: string; seqno: number; root_hash: string; file_hash: string }
type BlockLine = IdFields & { offset: number; length: number; mc_seqno: number }
type ZerostateEntry = IdFields & { file: string }

const blockId = ({ workchain, shard, seqno, root_hash, file_hash }: IdFields): BlockIdExt => ({
  workchain,
  shard: BigInt.asIntN(64, BigInt(`0x${shard}`)),
  seqno,
  root_hash: Buffer.from(root_hash, 'hex'),
  file_hash: Buffer.from(file_hash, 'hex'),
})

const lines = (file: Buffer): string[] => file.toString('utf8').trimEnd().split('\n')

/** Signatures out of whatever answers were recorded: those of liteservers, then those of API v2. */
const recordedSignatures = (read: ReadFile, blocks: readonly RecordedBlock[]): Map<number, SignatureSet> => {
  const headerOf = (seqno: number): BlockInfo | undefined => {
    const block = blocks.find(({ id }) => id.workchain === MASTERCHAIN && id.seqno === seqno)
    return block && parseBlockInfo(parseBlock(parseBocRoot(block.data)).info)
  }
  const linesOf = (name: string): string[] => {
    const file = read(name)
    return file ? lines(file) : []
  }
  const found = signaturesOfApi(linesOf('v2-reference.jsonl'), headerOf)
  for (const [seqno, set] of signaturesOfAnswers(linesOf('golden.jsonl'))) found.set(seqno, set)
  return found
}

/**
 * Reads a recording: `blocks.bin` with its index `blocks.jsonl`, `zerostates.json` and the files it names, and the
 * signatures from `signatures.json` or, where that is missing, from the answers in `golden.jsonl` and
 * `v2-reference.jsonl`. Throws `invalid` when a file is missing or is not what it should be.
 */
export const readRecording = (read: ReadFile): Recording => {
  const need = (name: string): Buffer => {
    const file = read(name)
    if (!file) throw new TonlithError('invalid', `the recording has no ${name}`)
    return file
  }
  try {
    const bytes = need('blocks.bin')
    const blocks = lines(need('blocks.jsonl')).map((line) => {
      const entry = JSON.parse(line) as BlockLine
      const end = entry.offset + entry.length
      if (end > bytes.length) throw new TonlithError('invalid', 'blocks.bin ends early')
      return { id: blockId(entry), mc_seqno: entry.mc_seqno, data: bytes.subarray(entry.offset, end) }
    })
    const entries = JSON.parse(need('zerostates.json').toString('utf8')) as ZerostateEntry[]
    const zerostates = entries.map((entry) => ({ id: blockId(entry), data: need(entry.file) }))
    const stored = read('signatures.json')
    return { blocks, zerostates, signatures: stored ? readSignatures(stored) : recordedSignatures(read, blocks) }
  } catch (cause) {
    if (isTonlithError(cause)) throw cause
    throw new TonlithError('invalid', 'the recording is not readable', { cause })
  }
}

/** Files of a folder, each plain or compressed with Zstandard (`.zst` behind its name). */
export const folderReader =
  (folder: string): ReadFile =>
  (name) => {
    for (const [suffix, unpack] of [
      ['', (file: Buffer) => file],
      ['.zst', (file: Buffer) => Bun.zstdDecompressSync(file)],
    ] as const) {
      try {
        return unpack(readFileSync(join(folder, name + suffix)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
    return undefined
  }

const EMBEDDED: Readonly<Record<string, string>> = {
  'blocks.bin': blocksBin,
  'blocks.jsonl': blocksJsonl,
  'signatures.json': signaturesJson,
  'zerostate-base.boc': zerostateBase,
  'zerostate-mc.boc': zerostateMc,
  'zerostates.json': zerostatesJson,
}

const unpack = (path: string): Buffer => Bun.zstdDecompressSync(readFileSync(path))

/** The masterchain's zerostate of the recording that the program carries in itself, a BoC. */
export const recordedZerostate = (): Buffer => unpack(zerostateMc)

/** The recording that the program carries in itself. */
export const embeddedRecording = (): Recording =>
  readRecording((name) => {
    const path = EMBEDDED[name]
    return path === undefined ? undefined : unpack(path)
  })
