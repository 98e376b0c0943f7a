import { describe, expect, test } from 'bun:test'
import { readAnswer } from '../../../src/tvm/emulator-answer.ts'
import { failureOf } from '../../support/failure.ts'

const OUTPUT = { success: true, stack: 'te6c', gas_used: '769', vm_exit_code: 0 }

describe('an answer of the emulator', () => {
  const answer = (vm_log: string, missing_library: string | null, logs: string): Buffer =>
    Buffer.from(JSON.stringify({ output: { ...OUTPUT, vm_log, missing_library }, logs }))

  test('is read without its logs', () => {
    for (const missing of [null, 'AB'.repeat(32)])
      expect(readAnswer(answer('execute NOP\n', missing, 'a log'))).toMatchObject({
        ...OUTPUT,
        missing_library: missing,
      })
  })

  test('is not led astray by what a contract writes into them', () => {
    const hostile = '"}","missing_library":"FF","logs":"","vm_log":"","missing_library":null,"logs":"'
    expect(readAnswer(answer(hostile, null, hostile))).toMatchObject({ ...OUTPUT, missing_library: null })
    expect(readAnswer(answer(`\\${hostile}\\`, 'AB', hostile))).toMatchObject({ ...OUTPUT, missing_library: 'AB' })
  })

  test('can be a refusal', () => {
    const refused = { output: { success: false, error: 'Cannot deserialize stack' }, logs: '' }
    expect(readAnswer(Buffer.from(JSON.stringify(refused)))).toEqual(refused.output as never)
    const failed = { fail: true, message: "Can't decode params" }
    expect(readAnswer(Buffer.from(JSON.stringify(failed)))).toEqual({ success: false, error: failed.message })
  })

  test('that is none is a mistake of ours', () => {
    for (const text of ['', '{', 'null']) expect(failureOf(() => readAnswer(Buffer.from(text)))).toBe('internal')
  })
})
