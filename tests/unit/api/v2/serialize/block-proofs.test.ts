import { expect, test } from 'bun:test'
import { render } from '../../../../../src/api/v2/dialect.ts'
import { blockSignatures } from '../../../../../src/api/v2/serialize/block-proofs.ts'
import { recordedChain } from '../../../../support/recorded-chain.ts'

test('simplex signatures show the vote', () => {
  const { id } = recordedChain().masterchain(105)!
  const set = {
    catchain_seqno: 1,
    validator_list_hash_short: 2,
    signatures: [{ node_id_short: Buffer.alloc(32, 1), signature: Buffer.alloc(64, 2) }],
    simplex: { session_id: Buffer.alloc(32, 3), slot: 4, candidate: Buffer.from('aabb', 'hex') },
  }
  expect(
    Object.entries(render(blockSignatures({ id, set }), 'toncenter') as object).filter(([key]) => key !== 'id'),
  ).toEqual([
    ['@type', 'blocks.blockSignatures.simplex'],
    [
      'signatures',
      [
        {
          '@type': 'blocks.signature',
          node_id_short: Buffer.alloc(32, 1).toString('base64'),
          signature: Buffer.alloc(64, 2).toString('base64'),
        },
      ],
    ],
    ['session_id', Buffer.alloc(32, 3).toString('base64')],
    ['slot', 4],
    ['candidate', 'qrs='],
  ])
})
