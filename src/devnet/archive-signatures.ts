import { decodeAnswer } from '../ton/tl/lite-api.ts'
import type { Boxed } from '../ton/tl/types.ts'
import type { BlockInfo } from '../ton/tlb/block-info.ts'

export type SignatureSet = Boxed<'liteServer.SignatureSet'>

/** One entry of `signatures.json`: the ordinary signatures of a masterchain block, hashes and signatures in hex. */
export type StoredSet = {
  seqno: number
  validator_set_hash: number
  catchain_seqno: number
  signatures: { node_id_short: string; signature: string }[]
}

/**
 * Signatures of masterchain blocks from recorded answers, one JSON object a line (`golden.jsonl`): blocks do not carry
 * signatures, the forward links of `getBlockProof` do.
 */
export const signaturesOfAnswers = (lines: readonly string[]): Map<number, SignatureSet> => {
  const found = new Map<number, SignatureSet>()
  for (const line of lines) {
    if (!line.includes('"getBlockProof"')) continue
    const { method, resp, error } = JSON.parse(line) as { method: string; resp?: string; error?: unknown }
    if (method !== 'getBlockProof' || !resp || error) continue
    for (const step of decodeAnswer('liteServer.getBlockProof', Buffer.from(resp, 'base64')).steps)
      if (step._ === 'liteServer.blockLinkForward') found.set(step.to.seqno, step.signatures)
  }
  return found
}

type ApiAnswer = {
  method: string
  response: { result?: { id: { seqno: number }; signatures: { node_id_short: string; signature: string }[] } }
}

/** What an answer of getMasterchainBlockSignatures leaves to the block's header. */
export type SignedHeader = Pick<BlockInfo, 'gen_validator_list_hash_short' | 'gen_catchain_seqno'>

/**
 * The same from recorded answers of API v2, one JSON object a line (`v2-reference.jsonl`). `headerOf` gives the header of
 * a masterchain block, undefined for one that is not recorded.
 */
export const signaturesOfApi = (
  lines: readonly string[],
  headerOf: (seqno: number) => SignedHeader | undefined,
): Map<number, SignatureSet> => {
  const found = new Map<number, SignatureSet>()
  for (const line of lines) {
    if (!line.includes('"blocks.blockSignatures"')) continue
    const { result } = (JSON.parse(line) as ApiAnswer).response
    const header = result && headerOf(result.id.seqno)
    if (!header) continue
    found.set(result.id.seqno, {
      _: 'liteServer.signatureSet.ordinary',
      validator_set_hash: header.gen_validator_list_hash_short | 0,
      catchain_seqno: header.gen_catchain_seqno,
      signatures: result.signatures.map(({ node_id_short, signature }) => ({
        node_id_short: Buffer.from(node_id_short, 'base64'),
        signature: Buffer.from(signature, 'base64'),
      })),
    })
  }
  return found
}

/** Reads `signatures.json`. */
export const readSignatures = (file: Buffer): Map<number, SignatureSet> => {
  const stored = JSON.parse(file.toString('utf8')) as StoredSet[]
  return new Map(
    stored.map(({ seqno, validator_set_hash, catchain_seqno, signatures }) => [
      seqno,
      {
        _: 'liteServer.signatureSet.ordinary',
        validator_set_hash,
        catchain_seqno,
        signatures: signatures.map(({ node_id_short, signature }) => ({
          node_id_short: Buffer.from(node_id_short, 'hex'),
          signature: Buffer.from(signature, 'hex'),
        })),
      },
    ]),
  )
}
