import { describe, expect, test } from 'bun:test'
import { embeddedRecording, type Recording } from '../../../src/devnet/archive.ts'
import { buildChain } from '../../../src/devnet/recorded-chain.ts'
import { sameBlock } from '../../../src/ton/block-id.ts'
import { serializeBoc } from '../../../src/ton/boc-writer.ts'
import { updateHashes } from '../../../src/ton/merkle.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const recording = embeddedRecording()

const shortened = (count: number): Recording => ({ ...recording, blocks: recording.blocks.slice(0, count) })

describe('a chain', () => {
  test('has every recorded block, with the state that its Merkle update names', () => {
    const chain = recordedChain()
    for (const { id } of recording.blocks) {
      const block = chain.block(id)!
      expect(block.state.hash().equals(updateHashes(parseBlock(block.root).state_update).new)).toBe(true)
      const state = parseShardStateUnsplit(block.state)
      expect([state.seq_no, state.gen_utime, state.gen_lt]).toEqual([id.seqno, block.info.gen_utime, block.info.end_lt])
    }
  })

  test('has the zerostates, the key blocks, the shards by seqno', () => {
    const chain = recordedChain()
    expect(chain.zerostate(-1)!.id.seqno).toBe(0)
    expect(chain.zerostate(7)).toBeUndefined()
    expect(chain.shards(7).size).toBe(0)
    expect(chain.keyBlocks).toEqual([0, 30, 31, 44, 103])
    expect(chain.last).toBe(360)
    for (const workchain of [-1, 0])
      for (const list of chain.shards(workchain).values())
        expect(list.every(({ id }, i) => i === 0 || id.seqno === list[i - 1]!.id.seqno + 1)).toBe(true)
  })

  test('finds a block by its whole id only', () => {
    const chain = recordedChain()
    const { id } = chain.masterchain(5)!
    const other = Buffer.alloc(32, 1)
    expect(chain.block({ ...id, root_hash: other })).toBeUndefined()
    expect(chain.block({ ...id, file_hash: other })).toBeUndefined()
    expect(chain.block({ ...id, seqno: 6 })).toBeUndefined()
    expect(sameBlock(chain.block(id)!.id, id)).toBe(true)
  })

  test('keeps blocks that are written back to their bytes', () => {
    const options = { index: true, cacheBits: true, storedHashes: true }
    for (const { id, data } of recording.blocks)
      expect(serializeBoc([recordedChain().block(id)!.root], options).equals(data)).toBe(true)
  })
})

describe('a recording that is broken', () => {
  const flipped = (at: number, bit: number): Recording => {
    const { blocks } = shortened(12)
    const data = Buffer.from(blocks[11]!.data)
    data[at]! ^= bit
    blocks[11] = { ...blocks[11]!, data }
    return { ...recording, blocks }
  }

  test('names the block whose bytes are not what its id says', () => {
    const { seqno } = recording.blocks[11]!.id
    for (const at of [0, 40, 900]) expect(() => buildChain(flipped(at, 4))).toThrow(`,${seqno}) of the recording`)
  })

  test('names the block that does not follow', () => {
    const { blocks } = shortened(12)
    const [{ id }] = blocks.splice(5, 1) as [(typeof blocks)[number]]
    expect(() => buildChain({ ...recording, blocks })).toThrow(`,${id.seqno}) of the recording is needed`)
  })

  test('names the block under another id', () => {
    const { blocks } = shortened(3)
    blocks[2] = { ...blocks[2]!, id: { ...blocks[2]!.id, seqno: 9 } }
    expect(() => buildChain({ ...recording, blocks })).toThrow('8000000000000000,9) of the recording is another block')
    blocks[2] = { ...blocks[2]!, id: { ...blocks[2]!.id, seqno: 3, root_hash: Buffer.alloc(32) } }
    expect(() => buildChain({ ...recording, blocks })).toThrow('does not have its root hash')
  })

  test('without zerostate or without blocks is refused', () => {
    expect(() => buildChain({ ...recording, zerostates: [] })).toThrow(
      '(-1,8000000000000000,0) of the recording is needed',
    )
    expect(() => buildChain({ ...recording, blocks: [] })).toThrow('has no masterchain')
  })
})
