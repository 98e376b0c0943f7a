import { describe, expect, test } from 'bun:test'
import { deafen, ORDERS } from '../../packaging/deaf-runtime.ts'

describe('deafen', () => {
  test('changes the first letter of each name wherever it stands, and nothing else', () => {
    const text = `a\0BUN_OPTIONS\0BUN_INSPECT_PRELOAD,BUN_INSPECT process.env.NODE_TLS_REJECT_UNAUTHORIZED BUN_OPTION`
    const bytes = Buffer.from(text)
    expect(deafen(bytes)).toEqual(['BUN_BE_BUN', 'BUN_CONFIG_VERBOSE_FETCH'])
    expect(bytes.toString()).toBe(
      'a\0_UN_OPTIONS\0_UN_INSPECT_PRELOAD,_UN_INSPECT process.env._ODE_TLS_REJECT_UNAUTHORIZED BUN_OPTION',
    )
  })

  test('names all that it did not find', () => {
    expect(deafen(Buffer.from('BUN'))).toEqual([...ORDERS])
  })
})
