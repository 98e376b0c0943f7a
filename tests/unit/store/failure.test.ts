import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { TonlithError } from '../../../src/common/errors.ts'
import { readFailure, storeFailure } from '../../../src/store/failure.ts'

const told = (code: string | number, message = 'failed\nlong') => {
  const error = storeFailure(Object.assign(new Error(message), { code }), tmpdir(), 'restore it')
  return error instanceof TonlithError ? [error.kind, error.message] : error
}

test('tells what is wrong with the disk, in one line', () => {
  for (const code of ['ENOSPC', 28, 'EDQUOT', -30792])
    expect(told(code)).toEqual(['unavailable', `the disk is full: ${tmpdir()} cannot grow`])
  for (const code of ['EACCES', 'EROFS', 13, 30])
    expect(told(code)).toEqual(['unavailable', `no right to write in ${tmpdir()}`])
  expect(told('ENOENT')).toEqual(['invalid', `there is no such folder: ${tmpdir()}`])
  for (const code of ['EEXIST', 'EISDIR'])
    expect(told(code)).toEqual(['invalid', `${tmpdir()} is not what it should be: failed`])
  for (const code of [-30796, -30782])
    expect(told(code)).toEqual(['malformed', `${tmpdir()} is damaged: failed; restore it`])
  expect(told(-30790)).toEqual(['unavailable', `LMDB fails in ${tmpdir()}: failed`])
})

test('knows failures of copying by their words, as LMDB gives them no code', () => {
  for (const words of ['No space left on device', 'File too large'])
    expect(storeFailure(new Error(words), tmpdir())).toMatchObject({
      kind: 'unavailable',
      message: `the disk is full: ${tmpdir()} cannot grow`,
    })
})

test('leaves errors alone that are not of the disk', () => {
  const own = new TonlithError('conflict', 'taken')
  expect(storeFailure(own, '/x')).toBe(own)
  const mistake = new TypeError('no such thing')
  expect(storeFailure(mistake, '/x')).toBe(mistake)
})

test('what cannot be read is damage, told once', () => {
  for (const error of [new RangeError('out of range'), new TonlithError('malformed', 'out of range')]) {
    const damage = readFailure(error, '/x', 'restore it')
    expect(damage).toMatchObject({ kind: 'malformed', message: '/x is damaged: out of range; restore it' })
    expect(readFailure(damage, '/x', 'restore it')).toBe(damage)
  }
  const mistake = new TypeError('no such thing')
  expect(readFailure(mistake, '/x', 'restore it')).toBe(mistake)
})
