import { expect, test } from 'bun:test'
import { joinedBytes } from '../../../src/common/joined-bytes.ts'

test('bytes of views are joined in a buffer that holds nothing else', () => {
  const all = joinedBytes([Buffer.from('one'), new Uint8Array(0), Buffer.from('-three-').subarray(1, 6)])
  expect(Buffer.from(all).toString()).toBe('onethree')
  expect([all.byteOffset, all.buffer.byteLength]).toEqual([0, 8])
})
