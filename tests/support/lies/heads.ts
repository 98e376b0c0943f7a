import { MASTERCHAIN, SHARD_ALL } from '../../../src/ton/block-id.ts'
import type { LiteAnswer } from '../../../src/ton/tl/lite-api.ts'
import { encodeError } from '../../../src/ton/tl/lite-api.ts'
import type { Fate, Lie, Told } from '../lying-liteserver.ts'
import { flipped, neighbour } from './pieces.ts'

type Info = LiteAnswer<'liteServer.getMasterchainInfoExt'>
type Header = LiteAnswer<'liteServer.getBlockHeader'>

/** `proven`: the fate where heads are proven by signatures, if it is another one there. */
export interface HeadLie extends Lie {
  proven: Fate
}

const onHead = (name: string, fate: Fate, tell: (honest: Info) => Told, proven = fate): HeadLie => ({
  name,
  fate,
  proven,
  tells: { 'liteServer.getMasterchainInfoExt': tell },
})

const onHeader = (name: string, tell: (honest: Header) => Told): HeadLie => ({
  name,
  fate: 'refused',
  proven: 'refused',
  tells: { 'liteServer.getBlockHeader': tell },
})

const renamed = (name: string, fate: Fate, change: Partial<Info['last']>, proven = fate): HeadLie =>
  onHead(name, fate, (honest) => ({ ...honest, last: { ...honest.last, ...change } }), proven)

const SOME_HASH = Buffer.alloc(32, 0x5a)

/** Lies about the block that a liteserver stands at. */
export const LIES_ABOUT_HEADS: readonly HeadLie[] = [
  renamed('a head of the future with hashes that no block has', 'refused', {
    seqno: 100_000,
    root_hash: SOME_HASH,
    file_hash: SOME_HASH,
  }),
  renamed('the hashes of the head under a later seqno', 'refused', { seqno: 2 ** 31 - 1 }),
  renamed('a negative seqno', 'refused', { seqno: -5 }),
  renamed('another root hash', 'refused', { root_hash: SOME_HASH }),
  renamed('another file hash', 'unseen', { file_hash: SOME_HASH }, 'refused'),
  renamed('a head in the basechain', 'refused', { workchain: 0 }),
  renamed('a head in a part of the masterchain', 'refused', { shard: SHARD_ALL >> 1n }),
  onHead('the hashes of the block before', 'refused', (honest) => ({
    ...honest,
    last: { ...neighbour(honest.last), seqno: honest.last.seqno },
  })),
  onHead('another state', 'refused', (honest) => ({ ...honest, state_root_hash: flipped(honest.state_root_hash, 9) })),
  onHead('another time', 'refused', (honest) => ({ ...honest, last_utime: honest.last_utime + 1 })),
  onHead('another network', 'refused', (honest) => ({
    ...honest,
    init: { workchain: MASTERCHAIN, root_hash: SOME_HASH, file_hash: SOME_HASH },
  })),
  onHead('no head', 'refused', () => encodeError(0, 'no head yet')),
  onHead('the older kind of answer', 'refused', ({ last, state_root_hash, init }) => ({
    _: 'liteServer.masterchainInfo',
    last,
    state_root_hash,
    init,
  })),
  onHeader('no header', () => encodeError(651, 'block is not applied')),
  onHeader('a header without a proof', (honest) => ({ ...honest, header_proof: Buffer.alloc(0) })),
  onHeader('a header with a bit flipped', (honest) => ({
    ...honest,
    header_proof: flipped(honest.header_proof, honest.header_proof.length * 5),
  })),
]

type BlockProof = LiteAnswer<'liteServer.getBlockProof'>
type Step = BlockProof['steps'][number]
type Forward = Extract<Step, { _: 'liteServer.blockLinkForward' }>

const onBlockProof = (name: string, tell: (honest: BlockProof) => BlockProof | undefined): HeadLie => ({
  name,
  fate: 'refused',
  proven: 'refused',
  tells: { 'liteServer.getBlockProof': tell },
})

const onLast = (name: string, change: (last: Forward, steps: readonly Step[]) => Forward): HeadLie =>
  onBlockProof(name, (honest) => {
    const last = honest.steps.at(-1)
    if (last?._ !== 'liteServer.blockLinkForward') return undefined
    return { ...honest, steps: honest.steps.with(-1, change(last, honest.steps)) }
  })

type Signature = Forward['signatures']['signatures'][number]

const signedBy = (name: string, change: (signatures: readonly Signature[]) => Signature[]): HeadLie =>
  onLast(name, (last) => ({
    ...last,
    signatures: { ...last.signatures, signatures: change(last.signatures.signatures) },
  }))

const isForward = (step: Step): step is Forward => step._ === 'liteServer.blockLinkForward'

/** Lies about the way from the zerostate to the head. */
export const LIES_ABOUT_BLOCK_PROOFS: readonly HeadLie[] = [
  onBlockProof('no links', (honest) => ({ ...honest, steps: [] })),
  onBlockProof('no links, and the known block for the head', (honest) => ({ ...honest, to: honest.from, steps: [] })),
  onBlockProof('the way does not end', (honest) => ({ ...honest, to: honest.from, complete: false, steps: [] })),
  onBlockProof('half of the way for all of it', (honest) => ({ ...honest, steps: honest.steps.slice(0, 1) })),
  onBlockProof('a link left out', (honest) => ({ ...honest, steps: honest.steps.slice(1) })),
  onBlockProof('backwards', (honest) => ({ ...honest, steps: honest.steps.toReversed() })),
  onBlockProof('the way to another block', (honest) => ({ ...honest, to: neighbour(honest.to) })),
  onLast('the name of another block at its end', (last) => ({ ...last, to: neighbour(last.to) })),
  onLast('an end that is called a key block', (last) => ({ ...last, to_key_block: !last.to_key_block })),
  onLast("another block's header", (last, steps) => ({ ...last, dest_proof: steps[0]!.dest_proof })),
  onLast("another key block's validators", (last, steps) => ({
    ...last,
    config_proof: steps.filter(isForward)[0]!.config_proof,
  })),
  onLast("another block's signatures", (last, steps) => ({
    ...last,
    signatures: steps.filter(isForward)[0]!.signatures,
  })),
  signedBy('no signatures', () => []),
  signedBy('a signature twice', ([first, ...others]) => [first!, first!, ...others]),
  signedBy('a flipped bit in each signature', (all) =>
    all.map((each) => ({ ...each, signature: flipped(each.signature, 100) })),
  ),
  signedBy('signatures of nobody', (all) => all.map((each) => ({ ...each, node_id_short: SOME_HASH }))),
]
