import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { findBreaches } from './support/architecture.ts'

const ROOT = join(import.meta.dir, '..')

const readSources = async (): Promise<Map<string, string>> => {
  const paths = [...new Bun.Glob('{src,tests}/**/*.{ts,tsx}').scanSync({ cwd: ROOT })].map((path) =>
    path.replaceAll('\\', '/'),
  )
  return new Map(await Promise.all(paths.map(async (path) => [path, await Bun.file(join(ROOT, path)).text()] as const)))
}

/** Files whose text breaks the rules on purpose, as examples. */
const EXAMPLES = ['tests/architecture.test.ts', 'tests/support/architecture.ts']

describe('the house', () => {
  test('keeps its rules', async () => {
    const sources = await readSources()
    for (const path of EXAMPLES) sources.delete(path)
    expect(sources.size).toBeGreaterThan(10)
    expect(findBreaches(sources)).toEqual([])
  })
})

describe('the rules notice', () => {
  const breaches = (files: Record<string, string>) => findBreaches(new Map(Object.entries(files)))

  const caught: [string, Record<string, string>, RegExp][] = [
    ['an import upwards', { 'src/ton/a.ts': "import { x } from '../model/b.ts'" }, /imports up, src\/model\/b\.ts/],
    ['a type import upwards', { 'src/ton/a.ts': "import type { X } from '../api/b.ts'" }, /imports up/],
    ['a dynamic import upwards', { 'src/ton/a.ts': "await import('../api/b.ts')" }, /imports up/],
    ['a re-export upwards', { 'src/ton/a.ts': "export { x } from '../cli/b.ts'" }, /imports up/],
    ['an import sideways', { 'src/store/a.ts': "import { x } from '../tvm/b.ts'" }, /imports sideways/],
    ['settings read in the api', { 'src/api/a.ts': "import { x } from '../config.ts'" }, /reads the settings/],
    [
      'settings that know the chain',
      { 'src/config/a.ts': "import { x } from '../ton/b.ts'" },
      /may import common only/,
    ],
    ['a folder without a rank', { 'src/stuff/a.ts': "import { x } from '../common/b.ts'" }, /stuff has no rank/],
    ['test code in src', { 'src/cli/a.ts': "import { x } from '../../tests/support/b.ts'" }, /code outside src/],
    ['an import without extension', { 'src/ton/a.ts': "import { x } from './b'" }, /without its extension/],
    ['lmdb outside the store', { 'src/indexer/a.ts': "import { open } from 'lmdb'" }, /imports lmdb/],
    [
      'a cycle',
      { 'src/ton/a.ts': "import './b.ts'", 'src/ton/b.ts': "import './c.ts'", 'src/ton/c.ts': "import './a.ts'" },
      /cycle of imports: src\/ton\/a\.ts > src\/ton\/b\.ts > src\/ton\/c\.ts > src\/ton\/a\.ts/,
    ],
    ['a long file', { 'src/ton/a.ts': 'x\n'.repeat(601) }, /601 lines/],
    ['a barrel', { 'src/ton/index.ts': '' }, /a barrel/],
    ['an empty name', { 'src/ton/utils.ts': '' }, /a name that says nothing/],
    ['an empty name of a group of methods', { 'src/api/v2/methods/utils.ts': '' }, /a name that says nothing/],
    ['an empty folder name', { 'src/helpers/a.ts': '' }, /a name that says nothing/],
    ['another case', { 'src/ton/cellHash.ts': '' }, /kebab-case/],
    ['any in a declaration', { 'src/ton/a.ts': 'const x: any = 1' }, /uses any/],
    ['any in a cast', { 'src/ton/a.ts': 'f(x as any)' }, /uses any/],
    ['any as an argument of a type', { 'src/ton/a.ts': 'let x: Map<string, any>' }, /uses any/],
    ['unfinished work', { 'src/ton/a.ts': '// TODO later' }, /left to do/],
    ['a silenced type checker', { 'src/ton/a.ts': '// @ts-ignore' }, /silences the type checker/],
    ['a Worker elsewhere', { 'src/tvm/a.ts': 'new Worker(url)' }, /starts a Worker/],
    ['a test left out', { 'tests/a.test.ts': `${'test'}.skip('x', () => {})` }, /leaves tests out/],
  ]
  for (const [what, files, message] of caught) {
    test(what, () => expect(breaches(files)).toContainEqual(expect.stringMatching(message)))
  }

  test('nothing in what is allowed', () => {
    expect(
      breaches({
        'src/main.ts': "import { serve } from './cli/serve.ts'\nimport './config.ts'\nnew Worker('x')",
        'src/cli/serve.ts':
          "import { a } from '../api/app.ts'\nimport '../config/load.ts'\nimport p from '../../package.json'",
        'src/api/app.ts':
          "// any comment, from '../cli/serve.ts'\nimport { t } from 'elysia'\nimport { x } from '../common/b.ts'",
        'src/api/v2/methods/text-forms.ts': "const text = 'as any'",
        'src/store/env.ts': "import { open } from 'lmdb'",
        'src/devnet/archive.ts': "import f from '../../tests/fixtures/chain/blocks.bin' with { type: 'file' }",
      }),
    ).toEqual([])
  })
})
