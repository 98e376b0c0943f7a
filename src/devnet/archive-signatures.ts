import { TonlithError } from '../common/errors.ts'
import { decodeAnswer } from '../ton/tl/lite-api.ts'
import type { Boxed } from '../ton/tl/types.ts'

export type SignatureSet = Boxed<'liteServer.SignatureSet'>

type StoredSet = {
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

/** Signature sets as they stand in `signatures.json`. Throws `unsupported` for simplex signatures. */
export const writeSignatures = (sets: ReadonlyMap<number, SignatureSet>): string => {
  const stored: StoredSet[] = [...sets]
    .sort(([a], [b]) => a - b)
    .map(([seqno, set]) => {
      if (set._ !== 'liteServer.signatureSet.ordinary')
        throw new TonlithError('unsupported', 'simplex signatures cannot be stored')
      const signatures = set.signatures.map(({ node_id_short, signature }) => ({
        node_id_short: node_id_short.toString('hex'),
        signature: signature.toString('hex'),
      }))
      return { seqno, validator_set_hash: set.validator_set_hash, catchain_seqno: set.catchain_seqno, signatures }
    })
  return `${JSON.stringify(stored, undefined, 1)}\n`
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
