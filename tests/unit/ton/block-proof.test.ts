import { describe, expect, test } from 'bun:test'
import { checkBlockLink, checkBlockProof } from '../../../src/ton/block-proof.ts'
import type { Boxed } from '../../../src/ton/tl/types.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'

const proofs = recordedAnswers('liteServer.getBlockProof')
const named = (note: string) => proofs.find((each) => each.note === note)!
type Link = Boxed<'liteServer.BlockLink'>

const zeroToHead = named('zerostate -> head')
const forward = zeroToHead.answer.steps.filter((link) => link._ === 'liteServer.blockLinkForward')
const back = proofs.flatMap(({ answer }) => answer.steps).filter((link) => link._ === 'liteServer.blockLinkBack')

describe('a chain of links', () => {
  test('leads from the zerostate over every key block to the head', () => {
    const { answer, args } = zeroToHead
    const { to, complete, key_blocks } = checkBlockProof(answer, args)
    expect({ to, complete }).toEqual({ to: args.target_block!, complete: true })
    expect(key_blocks.map(({ seqno }) => seqno)).toEqual([30, 31, 44, 103])
  })

  test('leads back to an old block', () => {
    const { answer, args } = named('back')
    expect(checkBlockProof(answer, args)).toMatchObject({ to: args.target_block!, complete: true, key_blocks: [] })
  })

  test('from a block to itself needs no link', () => {
    const { answer, args } = named('same')
    expect(checkBlockProof(answer, args).to).toEqual(args.known_block)
  })

  test('may come in parts', () => {
    const { answer, args } = zeroToHead
    const to = answer.steps[1]!.to
    const part = { ...answer, complete: false, to, steps: answer.steps.slice(0, 2) }
    expect(checkBlockProof(part, args)).toMatchObject({ to, complete: false })
    const rest = { ...answer, from: to, steps: answer.steps.slice(2) }
    expect(checkBlockProof(rest, { ...args, known_block: to })).toMatchObject({
      to: args.target_block!,
      complete: true,
    })
  })

  test.each([
    ['that starts elsewhere', { steps: zeroToHead.answer.steps.slice(1) }],
    ['with a gap', { steps: zeroToHead.answer.steps.toSpliced(2, 1) }],
    ['that ends elsewhere', { steps: zeroToHead.answer.steps.slice(0, -1) }],
    ['in another order', { steps: zeroToHead.answer.steps.toReversed() }],
    ['that says it is not there yet', { complete: false }],
    ['without links', { steps: [] }],
  ])('is refused: one %s', (_, change) => {
    expect(failureOf(() => checkBlockProof({ ...zeroToHead.answer, ...change }, zeroToHead.args))).toBe('proof')
  })

  test('is refused when it leads to another block than the target', () => {
    const other = named('zerostate -> mid')
    expect(failureOf(() => checkBlockProof(other.answer, zeroToHead.args))).toBe('proof')
    expect(
      failureOf(() => checkBlockProof(other.answer, { ...other.args, known_block: other.args.target_block! })),
    ).toBe('proof')
  })
})

describe('a forward link', () => {
  const [first, second, ...rest] = forward as Extract<Link, { _: 'liteServer.blockLinkForward' }>[]
  const last = rest.at(-1)!

  test('skips no key block', () => {
    for (const from of [first!, second!, rest[0]!]) {
      const jump = { ...last, from: from.from, config_proof: from.config_proof }
      expect(failureOf(() => checkBlockLink(jump))).toBe('proof')
    }
  })

  test('is not signed by fewer than two thirds, nor twice by the same', () => {
    const without = { ...last, signatures: { ...last.signatures, signatures: [] } }
    const [signature] = last.signatures.signatures
    const twice = { ...last, signatures: { ...last.signatures, signatures: [signature!, signature!] } }
    expect(failureOf(() => checkBlockLink(without))).toBe('proof')
    expect(failureOf(() => checkBlockLink(twice))).toBe('proof')
  })

  test('does not carry the signatures of another block', () => {
    for (const other of [first!, second!, rest[0]!])
      expect(failureOf(() => checkBlockLink({ ...last, signatures: other.signatures }))).toBe('proof')
  })

  test('goes forward', () => {
    expect(failureOf(() => checkBlockLink({ ...last, from: last.to, to: last.from }))).toBe('proof')
  })
})

describe('a backward link', () => {
  const link = back.find(({ to }) => to.seqno > 0) as Extract<Link, { _: 'liteServer.blockLinkBack' }>

  test('leads to no block but the one that the state lists', () => {
    const { root_hash, file_hash } = link.from
    expect(failureOf(() => checkBlockLink({ ...link, to: { ...link.to, file_hash } }))).toBe('proof')
    expect(failureOf(() => checkBlockLink({ ...link, to: { ...link.to, root_hash } }))).toBe('proof')
    expect(failureOf(() => checkBlockLink({ ...link, to: { ...link.to, seqno: link.to.seqno - 20 } }))).toBe('proof')
  })

  test('goes back', () => {
    expect(failureOf(() => checkBlockLink({ ...link, from: link.to, to: link.from }))).toBe('proof')
  })

  test('stays in the masterchain', () => {
    expect(failureOf(() => checkBlockLink({ ...link, to: { ...link.to, workchain: 0 } }))).toBe('proof')
  })
})
