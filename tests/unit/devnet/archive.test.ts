import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedRecording, folderReader, type ReadFile, readRecording } from '../../../src/devnet/archive.ts'
import { failureOf } from '../../support/failure.ts'

const FIXTURE = new URL('../../fixtures/chain', import.meta.url).pathname
const fixture = folderReader(FIXTURE)
const folder = mkdtempSync(join(tmpdir(), 'tonlith-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))

const changed =
  (name: string, change: (file: Buffer) => Buffer | undefined): ReadFile =>
  (asked) => {
    const file = fixture(asked)
    return asked === name && file ? change(file) : file
  }

describe('a recording', () => {
  test('has the blocks in the order in which the masterchain committed them', () => {
    const { blocks, zerostates } = embeddedRecording()
    expect(zerostates.map(({ id }) => id.workchain)).toEqual([-1, 0])
    const master = blocks.filter(({ id }) => id.workchain === -1)
    expect(master.map(({ id }) => id.seqno)).toEqual(master.map((_, i) => i + 1))
    expect(master.every(({ id, mc_seqno }) => id.seqno === mc_seqno)).toBe(true)
    expect(blocks.every(({ mc_seqno }, i) => i === 0 || mc_seqno >= blocks[i - 1]!.mc_seqno)).toBe(true)
  })

  test('is the same from the folder as from the program', () => {
    expect(readRecording(fixture)).toEqual(embeddedRecording())
  })

  test('gets its signatures from the recorded answers where no file holds them', () => {
    const { signatures } = embeddedRecording()
    expect(signatures.size).toBeGreaterThan(14)
    expect(readRecording(changed('signatures.json', () => undefined)).signatures).toEqual(signatures)
  })

  test('needs no signatures and no answers', () => {
    const bare: ReadFile = (name) => (/signatures|golden|v2-reference/.test(name) ? undefined : fixture(name))
    expect(readRecording(bare).signatures.size).toBe(0)
  })

  test('needs every other file', () => {
    for (const name of ['blocks.bin', 'blocks.jsonl', 'zerostates.json', 'zerostate-mc.boc'])
      expect(() => readRecording(changed(name, () => undefined))).toThrow(`the recording has no ${name}`)
  })

  test('with files that are cut off or no JSON is refused', () => {
    expect(failureOf(() => readRecording(changed('blocks.bin', (file) => file.subarray(0, -1))))).toBe('invalid')
    expect(failureOf(() => readRecording(changed('blocks.jsonl', () => Buffer.from('{}\n{'))))).toBe('invalid')
    expect(failureOf(() => readRecording(changed('zerostates.json', () => Buffer.from('7'))))).toBe('invalid')
    expect(failureOf(() => readRecording(changed('signatures.json', () => Buffer.from('{}'))))).toBe('invalid')
  })
})

describe('a folder', () => {
  test('gives files as they are, and compressed ones uncompressed', () => {
    writeFileSync(join(folder, 'plain'), 'one')
    writeFileSync(join(folder, 'packed.zst'), Bun.zstdCompressSync(Buffer.from('two')))
    const read = folderReader(folder)
    expect(read('plain')?.toString()).toBe('one')
    expect(read('packed')?.toString()).toBe('two')
    expect(read('absent')).toBeUndefined()
  })

  test('that does not exist has no files', () => {
    expect(failureOf(() => readRecording(folderReader(join(folder, 'nowhere'))))).toBe('invalid')
  })

  test('with a file that is not compressed as it says is refused', () => {
    writeFileSync(join(folder, 'blocks.bin.zst'), 'not Zstandard')
    expect(failureOf(() => readRecording(folderReader(folder)))).toBe('invalid')
  })
})
