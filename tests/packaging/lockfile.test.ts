import { describe, expect, test } from 'bun:test'
import { folderOf, keyOfFile, neededPackages } from '../../packaging/lockfile.ts'

const LOCK = `{
  "workspaces": { "": { "dependencies": { "a": "1" }, "devDependencies": { "tool": "1" } } },
  "packages": {
    "a": ["a@1.0.0", "", { "dependencies": { "@s/b": "1", "c": "1" }, "peerDependencies": { "p": "1", "q": "1" }, "optionalPeers": ["q"] }, "sha512-AA=="],
    "@s/b": ["@s/b@1.0.0", "", { "optionalDependencies": { "c": "2" } }, "sha512-AA=="],
    "@s/b/c": ["c@2.0.0", "", { "dependencies": { "@s/b": "1" } }, "sha512-AA=="],
    "c": ["c@1.0.0", "", {}, "sha512-AA=="],
    "p": ["p@1.0.0-x.1", "", {}, "sha512-AA=="],
    "tool": ["tool@1.0.0", "", {}, "sha512-AA=="],
  }
}`

describe('neededPackages', () => {
  test('follows dependencies, optional ones and peers to the copy that is found from there', () => {
    const needed = neededPackages(LOCK).map(({ key, version, needs }) => [key, version, needs])
    expect(needed).toEqual([
      ['@s/b', '1.0.0', ['@s/b/c']],
      ['@s/b/c', '2.0.0', ['@s/b']],
      ['a', '1.0.0', ['@s/b', 'c', 'p']],
      ['c', '1.0.0', []],
      ['p', '1.0.0-x.1', []],
    ])
  })

  test('refuses a lock that lacks a package, or its integrity', () => {
    expect(() => neededPackages(LOCK.replace('"p": [', '"r": ['))).toThrow('lacks p, which a needs')
    expect(() => neededPackages(LOCK.replace('{}, "sha512-AA=="', '{}, ""'))).toThrow('does not say what c is')
  })
})

describe('a key', () => {
  test('is that of the package whose file it is', () => {
    expect(keyOfFile('../x/node_modules/@s/b/node_modules/c/lib/c.js')).toBe('@s/b/c')
    expect(keyOfFile('src/main.ts')).toBeUndefined()
  })

  test('names a folder', () => {
    expect(folderOf('@s/b/c')).toBe('node_modules/@s/b/node_modules/c')
    expect(folderOf('a/@s/b')).toBe('node_modules/a/node_modules/@s/b')
  })
})
