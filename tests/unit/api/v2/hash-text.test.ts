import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseHash } from '../../../../src/api/v2/hash-text.ts'

const HEX = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'

describe('a hash is read from', () => {
  for (const text of [
    HEX,
    HEX.toUpperCase(),
    'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
    'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM=',
    'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
  ])
    test(text, () => expect(parseHash(text)?.toString('hex')).toBe(HEX))
})

describe('no hash is', () => {
  for (const text of [
    '',
    'not a hash',
    'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM',
    'CPUE4WXeEJT-Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
    `0x${HEX}`,
    `${HEX}\n`,
    HEX.slice(1),
    'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
    'CPUE4WXeEJTADwz1fYArkreWvYnsOt3I44i1G5ojJPMA',
    'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPN',
  ])
    test(JSON.stringify(text), () => expect(parseHash(text)).toBeUndefined())
})

test('every hash is read from all its forms', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hash = Buffer.from(bytes)
      for (const form of ['hex', 'base64', 'base64url'] as const) expect(parseHash(hash.toString(form))).toEqual(hash)
    }),
  )
})
