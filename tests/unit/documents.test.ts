import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** What documents link to in the repository is there, headings too. */

const ROOT = join(import.meta.dir, '../..')
const DOCUMENTS = [ROOT, join(ROOT, 'docs'), join(ROOT, 'data')].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

const text = (file: string): string => readFileSync(file, 'utf8').replaceAll(/```.*?```/gs, '')

/** The name that a heading is linked by. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (file: string): string[] => [...text(file).matchAll(/^#+ (.+)$/gm)].map(([, h]) => anchorOf(h!))

/** The links of a document that lead nowhere. */
const deadLinks = (file: string): string[] =>
  [...text(file).matchAll(/\]\((?!\w+:)([^)#]*)(#[^)]*)?\)/g)].flatMap(([, path, anchor]) => {
    const target = path === '' ? file : join(dirname(file), path!)
    if (!existsSync(target)) return [path!]
    return anchor === undefined || anchorsOf(target).includes(anchor.slice(1)) ? [] : [`${path}${anchor}`]
  })

describe('links', () => {
  for (const file of DOCUMENTS)
    test(`of ${relative(ROOT, file)} lead somewhere`, () => {
      expect(deadLinks(file)).toEqual([])
    })
})
