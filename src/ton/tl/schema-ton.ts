import type { Constructor } from './constructor.ts'

/** Constructors that are not the liteserver's own: block ids, the ADNL envelope, keys, what validators sign. */
export const TON_CONSTRUCTORS = {
  'tonNode.blockId': {
    id: 0xb7cdb167,
    fields: { workchain: 'int', shard: 'long', seqno: 'int' },
    type: 'tonNode.BlockId',
  },
  'tonNode.blockIdExt': {
    id: 0x6752eb78,
    fields: { workchain: 'int', shard: 'long', seqno: 'int', root_hash: 'int256', file_hash: 'int256' },
    type: 'tonNode.BlockIdExt',
  },
  'tonNode.zeroStateIdExt': {
    id: 0x1d7235ae,
    fields: { workchain: 'int', root_hash: 'int256', file_hash: 'int256' },
    type: 'tonNode.ZeroStateIdExt',
  },
  'adnl.message.query': { id: 0xb48bf97a, fields: { query_id: 'int256', query: 'bytes' }, type: 'adnl.Message' },
  'adnl.message.answer': { id: 0x0fac8416, fields: { query_id: 'int256', answer: 'bytes' }, type: 'adnl.Message' },
  'ton.blockId': { id: 0xc50b6e70, fields: { root_cell_hash: 'int256', file_hash: 'int256' }, type: 'ton.BlockId' },
  'pub.ed25519': { id: 0x4813b4c6, fields: { key: 'int256' }, type: 'PublicKey' },
  'tcp.pong': { id: 0xdc69fb03, fields: { random_id: 'long' }, type: 'tcp.Pong' },
  'tcp.authentificate': { id: 0x445bab12, fields: { nonce: 'bytes' }, type: 'tcp.Message' },
  'tcp.authentificationNonce': { id: 0xe35d4ab6, fields: { nonce: 'bytes' }, type: 'tcp.Message' },
  'tcp.authentificationComplete': {
    id: 0xf7ad9ea6,
    fields: { key: 'PublicKey', signature: 'bytes' },
    type: 'tcp.Message',
  },
  'consensus.dataToSign': {
    id: 0xa8e33df8,
    fields: { session_id: 'int256', data: 'bytes' },
    type: 'consensus.DataToSign',
  },
  'consensus.candidateId': { id: 0xb691cd3f, fields: { slot: 'int', hash: 'int256' }, type: 'consensus.CandidateId' },
  'consensus.simplex.finalizeVote': {
    id: 0x40a7e105,
    fields: { id: 'consensus.CandidateId' },
    type: 'consensus.simplex.UnsignedVote',
  },
  'consensus.candidateParent': {
    id: 0x1a4b9af1,
    fields: { id: 'consensus.CandidateId' },
    type: 'consensus.CandidateParent',
  },
  'consensus.candidateWithoutParents': { id: 0x22cbcca9, fields: {}, type: 'consensus.CandidateParent' },
  'consensus.candidateHashDataOrdinary': {
    id: 0xe8f9bcdc,
    fields: { block: 'tonNode.blockIdExt', collated_file_hash: 'int256', parent: 'consensus.CandidateParent' },
    type: 'consensus.CandidateHashData',
  },
  'consensus.candidateHashDataEmpty': {
    id: 0x72b4d933,
    fields: { block: 'tonNode.blockIdExt', parent: 'consensus.candidateId' },
    type: 'consensus.CandidateHashData',
  },
} as const satisfies Record<string, Constructor>
