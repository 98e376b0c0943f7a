import { ed25519PublicKey, signEd25519 } from '../liteserver/curve25519.ts'
import { nodeIdShort, signedBytes } from '../ton/signatures.ts'
import type { SignatureSet } from './archive-signatures.ts'
import type { ChainBlock } from './chain.ts'

/** Signs masterchain blocks with the key (Ed25519 seed) of a network's only validator. */
export const blockSigner = (seed: Buffer) => {
  const node_id_short = nodeIdShort(ed25519PublicKey(seed))
  return ({ id, info }: Pick<ChainBlock, 'id' | 'info'>): SignatureSet => ({
    _: 'liteServer.signatureSet.ordinary',
    validator_set_hash: info.gen_validator_list_hash_short | 0,
    catchain_seqno: info.gen_catchain_seqno,
    signatures: [{ node_id_short, signature: signEd25519(seed, signedBytes(id)) }],
  })
}
