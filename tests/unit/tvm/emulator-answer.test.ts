import { describe, expect, test } from 'bun:test'
import { readAnswer, readTransactionAnswer } from '../../../src/tvm/emulator-answer.ts'
import { failureOf } from '../../support/failure.ts'

const OUTPUT = { success: true, stack: 'te6c', gas_used: '769', vm_exit_code: 0 }

describe('an answer of the emulator', () => {
  const answer = (vm_log: string, missing_library: string | null): Buffer =>
    Buffer.from(JSON.stringify({ ...OUTPUT, vm_log, missing_library }))

  test('is read without its log', () => {
    for (const missing_library of [null, 'AB'.repeat(32)])
      expect(readAnswer(answer('execute NOP\n', missing_library))).toEqual({
        ...OUTPUT,
        vm_log: '',
        missing_library,
      } as never)
  })

  test('is not led astray by what a contract writes into it', () => {
    const hostile = '"}","missing_library":"FF","logs":"","vm_log":"","missing_library":null,"logs":"'
    expect(readAnswer(answer(hostile, null))).toMatchObject({ ...OUTPUT, missing_library: null })
    expect(readAnswer(answer(`\\${hostile}\\`, 'AB'))).toMatchObject({ ...OUTPUT, missing_library: 'AB' })
  })

  test('can be a refusal', () => {
    const refused = { success: false, error: 'Cannot deserialize stack' }
    expect(readAnswer(Buffer.from(JSON.stringify(refused)))).toEqual(refused as never)
    const failed = { fail: true, message: "Can't decode params" }
    expect(readTransactionAnswer(Buffer.from(JSON.stringify(failed)))).toEqual({
      success: false,
      error: failed.message,
      external_not_accepted: false,
    })
  })

  test('that is none is a mistake of ours', () => {
    for (const text of ['', '{', 'null', '7'])
      for (const read of [readAnswer, readTransactionAnswer])
        expect(failureOf(() => read(Buffer.from(text)))).toBe('internal')
  })
})
