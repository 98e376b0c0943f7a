import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { viewAt } from '../../../../src/devnet/chain-view.ts'
import { masterchainId } from '../../../../src/devnet/key-blocks.ts'
import type { BlockIdExt } from '../../../../src/ton/block-id.ts'
import { checkBlockProof } from '../../../../src/ton/block-proof.ts'
import { archiveAt } from '../../../support/archive-client.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const chain = recordedChain()
const lastSigned = Math.max(...chain.signed)
const idOf = (seqno: number): BlockIdExt => masterchainId(viewAt(chain, chain.last), seqno)!

const proof = (head: number, known_block: BlockIdExt, target_block: BlockIdExt, mode = 1) =>
  archiveAt(head)('liteServer.getBlockProof', { mode, known_block, target_block })

describe('a block proof', () => {
  test('leads from any block to any other up to the last signed one, and verifies', async () => {
    const seqno = fc.integer({ min: 0, max: lastSigned })
    await fc.assert(
      fc.asyncProperty(seqno, seqno, fc.integer({ min: lastSigned, max: chain.last }), async (from, to, head) => {
        const [known_block, target_block] = [idOf(from), idOf(to)]
        const steps = checkBlockProof(await proof(head, known_block, target_block), { known_block, target_block })
        expect(steps.complete).toBe(true)
        expect(steps.to).toEqual(target_block)
      }),
      { numRuns: 60 },
    )
  })

  test('leads from an unsigned block back', async () => {
    const known_block = idOf(chain.last)
    for (const to of [0, 1, 103, lastSigned, chain.last - 1]) {
      const target_block = idOf(to)
      const answer = await proof(chain.last, known_block, target_block)
      expect(checkBlockProof(answer, { known_block, target_block }).complete).toBe(true)
      expect(answer.steps.length).toBe(1)
    }
  })

  test('goes over the next signed block where the target is not signed', async () => {
    const [known_block, target_block] = [idOf(103), idOf(200)]
    const answer = await proof(chain.last, known_block, target_block)
    expect(chain.signatures(200)).toBeUndefined()
    expect(answer.steps.map(({ _, to }) => [_, to.seqno])).toEqual([
      ['liteServer.blockLinkForward', 257],
      ['liteServer.blockLinkBack', 200],
    ])
    expect(checkBlockProof(answer, { known_block, target_block }).to).toEqual(target_block)
  })

  test('is refused where no signature leads on', async () => {
    await expect(proof(chain.last, idOf(103), idOf(chain.last))).rejects.toThrow(
      'the archive has no validator signatures of masterchain block (-1,8000000000000000,360)',
    )
    await expect(proof(317, idOf(103), idOf(317))).rejects.toThrow('no validator signatures')
  })

  test('takes the newer block as its base when asked to', async () => {
    const [known_block, target_block] = [idOf(44), idOf(320)]
    const answer = await proof(chain.last, known_block, target_block, 0x1001)
    expect(checkBlockProof(answer, { known_block, target_block }).complete).toBe(true)
    const unknown = { ...target_block, root_hash: Buffer.alloc(32, 1) }
    await expect(proof(chain.last, known_block, unknown, 0x1001)).rejects.toThrow('state not in db')
    await expect(proof(319, known_block, target_block, 0x1001)).rejects.toThrow('state not in db')
  })

  test('is refused for blocks that are unknown at the head', async () => {
    await expect(proof(100, idOf(101), idOf(50))).rejects.toThrow('newer than the reference masterchain block')
    await expect(proof(100, idOf(50), idOf(101))).rejects.toThrow('newer than the reference masterchain block')
    const wrong = { ...idOf(50), file_hash: Buffer.alloc(32, 1) }
    await expect(proof(100, wrong, idOf(50))).rejects.toThrow('proof source masterchain block')
    await expect(proof(100, idOf(50), wrong)).rejects.toThrow('proof destination masterchain block')
  })
})
