import { expect, test } from 'bun:test'
import { bundleWithin } from '../../../src/cli/bundle-patience.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { openBlock } from '../../../src/indexer/opened-block.ts'
import { bundleOf } from '../../support/bundle-crossing.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { rejectionOf } from '../../support/rejection.ts'

const { id, data } = recordedChain().masterchain(1)!
const bundle = bundleOf(openBlock(id, Buffer.from(data)), [])
const never = new Promise<never>(() => {})

test('a bundle that comes is given, and what goes wrong is told', async () => {
  expect(await bundleWithin(10_000, 1, Promise.resolve(bundle), { troubles: () => [] })).toBe(bundle)
  const wrong = new TonlithError('malformed', 'no block')
  expect(await rejectionOf(bundleWithin(10_000, 1, Promise.reject(wrong), { troubles: () => [] }))).toBe(wrong)
})

test('one that does not come is unavailable after a while, with what is waited for', async () => {
  const told = async (troubles: string[]) => await rejectionOf(bundleWithin(1, 7, never, { troubles: () => troubles }))
  expect(await told(['block 7: no server has it'])).toMatchObject({
    kind: 'unavailable',
    message: 'masterchain block 7 cannot be read: block 7: no server has it',
  })
  expect((await told([]))?.message).toBe('masterchain block 7 cannot be read: no liteserver answers')
})
