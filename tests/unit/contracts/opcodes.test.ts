import { expect, test } from 'bun:test'
import { opcodeName } from '../../../src/contracts/opcodes.ts'

test('opcodes have the names that clients look for', () => {
  const names = [0, 0x0f8a7ea5, 0x7362d09c, 0x5fcc3d14, 0xd53276db, 0xffffffff].map(opcodeName)
  expect(names).toEqual(['text_comment', 'jetton_transfer', 'jetton_notify', 'nft_transfer', 'excess', 'bounce'])
  expect(opcodeName(0x12345678)).toBeUndefined()
})
