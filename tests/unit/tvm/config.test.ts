import { describe, expect, test } from 'bun:test'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import type { Builder } from '../../../src/ton/builder.ts'
import { type Cell, LIBRARY } from '../../../src/ton/cell.ts'
import { key32 } from '../../../src/ton/dictionary.ts'
import { buildDict } from '../../../src/ton/dictionary-writer.ts'
import { configParam, configParams } from '../../../src/ton/tlb/config-params.ts'
import { tvmConfig } from '../../../src/tvm/config.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedConfig } from '../../support/tvm-code.ts'

const config = recordedConfig()
const forms = tvmConfig(config)
const slim = parseBocRoot(Buffer.from(forms.slim.boc, 'base64'))

const librariesBelow = (root: Cell): Cell[] => {
  const found: Cell[] = []
  const stack = [root]
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    if (cell.type === LIBRARY) found.push(cell)
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
  return found
}

describe('the slim form of a configuration', () => {
  test('holds what the TVM needs, unchanged', () => {
    for (const index of [8, 12, 18, 19, 20, 21, 24, 25, 31])
      expect(configParam(slim, index)!.hash()).toEqual(configParam(config, index)!.hash())
  })

  test('shows that a parameter is missing where it is', () => {
    for (const index of [43, 45]) {
      expect(configParam(config, index)).toBeNull()
      expect(configParam(slim, index)).toBeNull()
    }
  })

  test('shows every other parameter whole or not at all', () => {
    const all = [...configParams(config)]
    const shown = all.filter(([index]) => failureOf(() => configParam(slim, index)) === 'none')
    for (const [index, value] of shown) expect(configParam(slim, index)!.hash()).toEqual(value.hash())
    expect(all.length - shown.length).toBeGreaterThan(10)
  })

  test('hides the rest behind libraries that it knows again', () => {
    const libraries = librariesBelow(slim)
    expect(libraries.length).toBeGreaterThan(1)
    for (const { bytes, start } of libraries) {
      const hash = Buffer.from(bytes.subarray(start + 1, start + 33))
      expect(forms.hides(hash.toString('hex').toUpperCase())).toBe(true)
      expect(forms.showsHidden(Buffer.concat([Buffer.alloc(7), hash, Buffer.alloc(3)]))).toBe(true)
    }
    expect(forms.hides('00'.repeat(32))).toBe(false)
    expect(forms.showsHidden(Buffer.alloc(500))).toBe(false)
  })

  test('is smaller; the full one is all of it', () => {
    expect(forms.slim.boc.length).toBeLessThan(forms.full().boc.length)
    expect(parseBocRoot(Buffer.from(forms.full().boc, 'base64')).hash()).toEqual(config.hash())
    expect(forms.full().key).not.toBe(forms.slim.key)
  })
})

describe('a configuration', () => {
  test('is made ready once', () => {
    expect(tvmConfig(config)).toBe(forms)
    expect(forms.full()).toBe(forms.full())
  })

  test('tells its global version', () => {
    expect(forms.globalVersion).toBe(12)
    const store = (builder: Builder) => builder.ref(config)
    expect(tvmConfig(buildDict([{ key: key32(0), store }], 32)!).globalVersion).toBe(0)
  })
})
