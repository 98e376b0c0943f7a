import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import type { Head } from '../../../src/liteserver/head.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { createTrust, type TrustLevel, type TrustStore } from '../../../src/liteserver/trust.ts'
import { ownBlockId } from '../../../src/model/block.ts'
import { type BlockIdExt, sameBlock } from '../../../src/ton/block-id.ts'
import type { LiteAnswer } from '../../../src/ton/tl/lite-api.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'

const proofs = recordedAnswers('liteServer.getBlockProof')
const shardProofs = recordedAnswers('liteServer.getShardBlockProof')
const headers = recordedAnswers('liteServer.getBlockHeader')
const infos = recordedAnswers('liteServer.getMasterchainInfo')

const zeroToHead = proofs.find(({ note }) => note === 'zerostate -> head')!
const zeroState = zeroToHead.args.known_block
const head = zeroToHead.args.target_block!
const keyBlocks = zeroToHead.answer.steps.filter((link) => link.to_key_block).map(({ to }) => to)
const lastKeyBlock = keyBlocks.at(-1)!

type BlockProof = LiteAnswer<'liteServer.getBlockProof'>

/** A recorded node: answers what was recorded, and else that it does not know. Keeps what it was asked. */
const node = (change: (proof: BlockProof) => BlockProof = (proof) => proof) => {
  const asked: string[] = []
  const unknown = (): never => {
    throw new TonlithError('liteserver', 'not in db', { code: 651 })
  }
  const answerTo = (method: string, args: Record<string, unknown>): unknown => {
    const id = args['id'] as BlockIdExt
    if (method === 'liteServer.getBlockProof') {
      const [known, target] = [args['known_block'], args['target_block']] as [BlockIdExt, BlockIdExt]
      asked.push(`${known.seqno} > ${target.seqno}`)
      const found = proofs.find(
        (each) =>
          sameBlock(each.args.known_block, known) &&
          each.args.target_block &&
          sameBlock(each.args.target_block, target),
      )
      return found ? change(found.answer) : unknown()
    }
    asked.push(method.slice('liteServer.'.length))
    if (method === 'liteServer.getShardBlockProof')
      return shardProofs.find((each) => sameBlock(each.args.id, id))?.answer ?? unknown()
    if (method === 'liteServer.getBlockHeader')
      return headers.find((each) => sameBlock(each.args.id, id) && each.args.mode === args['mode'])?.answer ?? unknown()
    return unknown()
  }
  const query = (async (method: string, args: Record<string, unknown>) => answerTo(method, args)) as unknown as Query
  return { query, asked }
}

const memory = (stored: BlockIdExt | null = null): TrustStore & { saved: number[] } => {
  const saved: number[] = []
  return {
    saved,
    load: () => stored,
    save: (_, id) => {
      stored = id
      saved.push(id.seqno)
    },
  }
}

const trustOf = (level: TrustLevel = 'full', initBlock = zeroState, store = memory()) =>
  createTrust({ level, zeroState, initBlock, store })

const failure = async (run: Promise<void>): Promise<string> => {
  try {
    await run
  } catch (error) {
    if (error instanceof TonlithError) return error.kind
    throw error
  }
  return 'none'
}

describe('full', () => {
  test('walks from the zerostate to the head and keeps the last key block', async () => {
    const store = memory()
    const trust = trustOf('full', zeroState, store)
    const { query, asked } = node()
    await trust.verifyBlock(head, query)
    expect(asked).toEqual(['0 > 318'])
    expect(trust.anchor()).toEqual(lastKeyBlock)
    expect(store.saved).toEqual([103])
    await trust.verifyBlock(head, query)
    for (const id of keyBlocks) await trust.verifyBlock(id, query)
    await trust.verifyBlock(zeroState, query)
    expect(asked).toHaveLength(1)
  })

  test('keeps nothing of the answers that prove its blocks', async () => {
    const trust = trustOf()
    const given: BlockIdExt[] = []
    const { query, asked } = node((proof) => {
      const steps = proof.steps.map((link) => ({ ...link, to: ownBlockId(link.to) }))
      given.push(...steps.map(({ to }) => to))
      return { ...proof, steps }
    })
    await trust.verifyBlock(head, query)
    for (const { root_hash, file_hash } of given) for (const hash of [root_hash, file_hash]) hash.fill(0)
    for (const id of [...keyBlocks, head]) await trust.verifyBlock(id, query)
    expect(trust.anchor()).toEqual(lastKeyBlock)
    expect(asked).toHaveLength(1)
  })

  test('starts at the stored key block, unless the init block is newer', async () => {
    const stored = trustOf('full', keyBlocks[0]!, memory(keyBlocks[2]!))
    const { query, asked } = node()
    await stored.verifyBlock(head, query)
    await trustOf('full', keyBlocks[1]!, memory(keyBlocks[0]!)).verifyBlock(head, query)
    expect(asked).toEqual(['44 > 318', '31 > 318'])
  })

  test('goes back to old blocks from the newest proven one', async () => {
    const trust = trustOf()
    const { query, asked } = node()
    await trust.verifyBlock(head, query)
    const old = proofs.find(({ note }) => note === 'back')!.args.target_block!
    await trust.verifyBlock(old, query)
    expect(asked).toEqual(['0 > 318', '318 > 105'])
    expect(trust.anchor()).toEqual(lastKeyBlock)
  })

  test('a server that lacks the newest proven block can go forward from the anchor', async () => {
    const trust = trustOf('full', zeroState)
    const { query, asked } = node()
    const end = proofs.find(({ note }) => note === 'zerostate -> end')!.args.target_block!
    await trust.verifyBlock(end, query)
    await trust.verifyBlock(head, query)
    expect(asked).toEqual(['0 > 357', '357 > 318', '103 > 318'])
  })

  test('takes a proof that comes in parts', async () => {
    const parts = node((proof) =>
      proof.from.seqno === 0
        ? { ...proof, complete: false, to: proof.steps[1]!.to, steps: proof.steps.slice(0, 2) }
        : proof,
    )
    await trustOf().verifyBlock(head, parts.query)
    expect(parts.asked).toEqual(['0 > 318', '31 > 318'])
  })

  test.each([
    ['whose parts lead nowhere', (p: BlockProof) => ({ ...p, complete: false, to: p.from, steps: [] })],
    ['whose parts end before a key block', (p: BlockProof) => ({ ...p, complete: false })],
    ['that proves another block', (p: BlockProof) => ({ ...p, to: p.steps[0]!.to, steps: p.steps.slice(0, 1) })],
    [
      'with a forged signature',
      (p: BlockProof) => ({
        ...p,
        steps: p.steps.map((link) =>
          link._ === 'liteServer.blockLinkBack'
            ? link
            : {
                ...link,
                signatures: {
                  ...link.signatures,
                  signatures: link.signatures.signatures.map((each) => ({ ...each, signature: Buffer.alloc(64, 1) })),
                },
              },
        ),
      }),
    ],
  ])('refuses a server %s, and trusts as before', async (_, change) => {
    const trust = trustOf()
    expect(await failure(trust.verifyBlock(head, node(change).query))).toBe('proof')
    expect(trust.anchor()).toEqual(zeroState)
    await trust.verifyBlock(head, node().query)
  })

  test('refuses another block at the height of a proven one without asking', async () => {
    const trust = trustOf()
    const { query, asked } = node()
    await trust.verifyBlock(head, query)
    for (const id of [head, lastKeyBlock, zeroState]) {
      const other = { ...id, file_hash: Buffer.alloc(32, 1) }
      expect(await failure(trust.verifyBlock(other, query))).toBe('proof')
    }
    expect(asked).toHaveLength(1)
  })

  test('passes on what the server says when it does not know', async () => {
    const unknown = { ...head, seqno: 9_999, root_hash: Buffer.alloc(32, 1) }
    expect(await failure(trustOf().verifyBlock(unknown, node().query))).toBe('liteserver')
  })

  test('a shard block is as good as the masterchain block that brought it in', async () => {
    const blockAt = (seqno: number) => proofs.find(({ args }) => args.target_block?.seqno === seqno)!.args.target_block!
    const broughtBy = (seqno: number) =>
      shardProofs.find(({ answer }) => answer.masterchain_id.seqno === seqno)!.args.id
    const trust = trustOf('full', blockAt(154))
    const { query, asked } = node()
    await trust.verifyBlock(blockAt(188), query)
    await trust.verifyBlock(broughtBy(18), query)
    await trust.verifyBlock(broughtBy(18), query)
    expect(asked).toEqual(['154 > 188', 'getShardBlockProof', '188 > 18'])
    expect(await failure(trust.verifyBlock(broughtBy(16), query))).toBe('liteserver')
    expect(await failure(trust.verifyBlock({ ...broughtBy(18), seqno: 1 }, query))).toBe('liteserver')
  })

  test('a head is checked with its time and its state', async () => {
    const state_root_hash = infos.find(({ answer }) => sameBlock(answer.last, head))!.answer.state_root_hash
    const trust = trustOf()
    const { query } = node()
    const told: Head = { id: head, utime: 1_795_821_205, state_root_hash }
    const verify = (change: Partial<Head>) => failure(trust.verifyHead!(query, { ...told, ...change }))
    expect(await verify({})).toBe('none')
    expect(await verify({ utime: told.utime + 1 })).toBe('proof')
    expect(await verify({ state_root_hash: Buffer.alloc(32) })).toBe('proof')
    expect(await verify({ id: { ...head, root_hash: Buffer.alloc(32) } })).toBe('proof')
    const beginning = { id: zeroState, utime: 0, state_root_hash: zeroState.root_hash }
    expect(await verify(beginning)).toBe('none')
    expect(await verify({ ...beginning, state_root_hash })).toBe('proof')
  })
})

describe('proofs and none', () => {
  test('never ask for block proofs', async () => {
    for (const level of ['proofs', 'none'] as const) {
      const trust = trustOf(level)
      const { query, asked } = node()
      await trust.verifyBlock(head, query)
      expect(asked).toEqual([])
    }
  })

  test('what is said of a head is checked by its header, or believed', async () => {
    const { state_root_hash } = infos.find(({ answer }) => sameBlock(answer.last, head))!.answer
    const trust = trustOf('proofs')
    const { query, asked } = node()
    const verify = (change: Partial<Head>) =>
      failure(trust.verifyHead!(query, { id: head, utime: 1_795_821_205, state_root_hash, ...change }))
    expect(await verify({})).toBe('none')
    expect(asked).toEqual(['getBlockHeader'])
    expect(await verify({ utime: 1 })).toBe('proof')
    expect(await verify({ state_root_hash: Buffer.alloc(32) })).toBe('proof')
    const made = { ...zeroState, root_hash: state_root_hash }
    expect(await verify({ id: made })).toBe('proof')
    expect(await verify({ id: { ...made, seqno: -5 } })).toBe('proof')
    expect(trustOf('none').verifyHead).toBeUndefined()
  })

  test('answers are checked by their Merkle proofs, or believed', () => {
    const { answer, args } = recordedAnswers('liteServer.getAccountState').find((each) => each.answer.state.length > 0)!
    const state = Buffer.from(answer.state)
    state[state.length - 1]! ^= 1
    const forged = { ...answer, state }
    expect(() => trustOf('full').checkAccountState(forged, args)).toThrow('account')
    expect(() => trustOf('proofs').checkAccountState(forged, args)).toThrow('account')
    expect(trustOf('none').checkAccountState(forged, args).account).not.toBeNull()
  })
})
