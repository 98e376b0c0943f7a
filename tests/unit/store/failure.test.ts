import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { TonlithError } from '../../../src/common/errors.ts'
import { storeFailure } from '../../../src/store/failure.ts'

const told = (code: string | number, message = 'failed\nlong') => {
  const error = storeFailure(Object.assign(new Error(message), { code }), tmpdir())
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
  expect(told(-30796)).toEqual(['invalid', `${tmpdir()} is damaged: failed`])
  expect(told(-30790)).toEqual(['unavailable', `LMDB fails in ${tmpdir()}: failed`])
})

test('leaves errors alone that are not of the disk', () => {
  const own = new TonlithError('conflict', 'taken')
  expect(storeFailure(own, '/x')).toBe(own)
  const mistake = new TypeError('no such thing')
  expect(storeFailure(mistake, '/x')).toBe(mistake)
})
