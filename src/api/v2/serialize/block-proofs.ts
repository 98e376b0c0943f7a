import type { SignedBlock } from '../../../chain/block-signatures.ts'
import type { ShardBlockProof } from '../../../chain/shard-block-proof.ts'
import { blockIdExt, type Neutral } from '../dialect.ts'

/** `blocks.blockSignatures`, or `blocks.blockSignatures.simplex` where the validators ran simplex (contracts/v2.md 6.2). */
export const blockSignatures = ({ id, set: { signatures, simplex } }: SignedBlock): Neutral => ({
  '@type': simplex ? 'blocks.blockSignatures.simplex' : 'blocks.blockSignatures',
  id: blockIdExt(id),
  signatures: signatures.map(({ node_id_short, signature }) => ({
    '@type': 'blocks.signature',
    node_id_short,
    signature,
  })),
  session_id: simplex?.session_id,
  slot: simplex?.slot,
  candidate: simplex?.candidate,
})

/** `blocks.shardBlockProof` (contracts/v2.md 6.3); the proofs are the liteserver's own bytes. */
export const shardBlockProof = ({ from, mc_id, links, mc_proof }: ShardBlockProof): Neutral => ({
  '@type': 'blocks.shardBlockProof',
  from: blockIdExt(from),
  mc_id: blockIdExt(mc_id),
  links: links.map(({ id, proof }) => ({ '@type': 'blocks.shardBlockLink', id: blockIdExt(id), proof })),
  mc_proof: mc_proof.map((link) => ({
    '@type': 'blocks.blockLinkBack',
    to_key_block: link.to_key_block,
    from: blockIdExt(link.from),
    to: blockIdExt(link.to),
    dest_proof: link.dest_proof,
    proof: link.proof,
    state_proof: link.state_proof,
  })),
})
