import { dirname, join, normalize } from 'node:path'

/** Source text by path from the root of the repository, with `/` between folders. */
export type Sources = ReadonlyMap<string, string>

/** From the lowest rank to the highest: an import may only go to a lower rank, or stay within its own folder. */
const RANKS: readonly (readonly string[])[] = [
  ['common'],
  ['ton'],
  ['model'],
  ['liteserver', 'store', 'contracts', 'tvm'],
  ['chain', 'indexer', 'payments', 'devnet'],
  ['api'],
  ['cli'],
  ['main'],
]
const RANK_OF = new Map(RANKS.flatMap((folders, rank) => folders.map((folder) => [folder, rank] as const)))

const MAX_LINES = 600
const EMPTY_NAMES = /^(utils?|helpers?|misc|managers?)$/

/** Every breach of the house rules in `sources`, one sentence each. */
export const findBreaches = (sources: Sources): string[] => [
  ...[...sources].flatMap(([path, text]) => [...nameBreaches(path), ...textBreaches(path, text)]),
  ...[...sources].flatMap(([path, text]) => importBreaches(path, importsOf(path, text))),
  ...findCycles(sources),
]

const nameBreaches = (path: string): string[] => {
  const parts = path.replace(/\.d?\.?tsx?$/, '').split('/')
  const name = parts.at(-1) ?? ''
  const breaches: string[] = []
  if (name === 'index') breaches.push(`${path}: a barrel`)
  if (parts.some((part) => EMPTY_NAMES.test(part))) breaches.push(`${path}: a name that says nothing`)
  if (!parts.every((part) => /^[a-z0-9]+([-.][a-z0-9]+)*$/.test(part))) breaches.push(`${path}: not in kebab-case`)
  return breaches
}

const textBreaches = (path: string, text: string): string[] => {
  const code = withoutCommentsAndTexts(text)
  const lines = text.replace(/\n$/, '').split('\n').length
  const breaches: string[] = []
  if (lines > MAX_LINES) breaches.push(`${path}: ${lines} lines, ${MAX_LINES} at most`)
  if (/\b(TODO|FIXME|XXX|HACK)\b/.test(text)) breaches.push(`${path}: something is left to do`)
  if (/@ts-(ignore|nocheck|expect-error)/.test(text)) breaches.push(`${path}: silences the type checker`)
  if (/([:<|&(,=]|\bas|\bextends)\s*any\b(?!\s*[:(])/.test(code)) breaches.push(`${path}: uses any`)
  if (path.startsWith('src/') && path !== 'src/main.ts' && /\bnew\s+Worker\b/.test(code))
    breaches.push(`${path}: starts a Worker outside main.ts`)
  if (/\b(test|it|describe)\.(skip|only|todo|skipIf|todoIf)\b/.test(code)) breaches.push(`${path}: leaves tests out`)
  return breaches
}

type Import = { path: string; outside: boolean }

const importBreaches = (path: string, imports: readonly Import[]): string[] =>
  path.startsWith('src/') ? imports.flatMap((target) => importBreach(path, target)) : []

const importBreach = (path: string, target: Import): string[] => {
  if (target.outside) {
    const storeOnly = target.path === 'lmdb' && !path.startsWith('src/store/')
    return storeOnly ? [`${path}: imports lmdb, which is known to src/store only`] : []
  }
  const code = /\.tsx?$/.test(target.path)
  if (!code && !/\.[a-z0-9]+$/i.test(target.path)) return [`${path}: imports ${target.path} without its extension`]
  if (!target.path.startsWith('src/')) return code ? [`${path}: imports code outside src: ${target.path}`] : []
  const [from, to] = [partOf(path), partOf(target.path)]
  if (from === to) return []
  if (to === 'config') {
    return ['main', 'cli'].includes(from) ? [] : [`${path}: reads the settings, which only main and cli may`]
  }
  if (from === 'config') return to === 'common' ? [] : [`${path}: the settings may import common only`]
  const [fromRank, toRank] = [RANK_OF.get(from), RANK_OF.get(to)]
  if (fromRank === undefined || toRank === undefined) {
    return [`${path}: ${fromRank === undefined ? from : to} has no rank in the house`]
  }
  return toRank < fromRank ? [] : [`${path}: imports ${toRank === fromRank ? 'sideways' : 'up'}, ${target.path}`]
}

/** `src/api/v2/rest.ts` is part of `api`, `src/main.ts` of `main`, `src/config/kinds.ts` of `config`. */
const partOf = (path: string): string => path.split('/')[1]?.replace(/\.tsx?$/, '') ?? ''

const importsOf = (path: string, text: string): Import[] => {
  const code = withoutComments(text)
  const found = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1|\bnew URL\(\s*(['"])(\.[^'"\n]+)\3/g)
  return [...found].map((match) => {
    const written = match[2] ?? match[4] ?? ''
    return written.startsWith('.')
      ? { path: normalize(join(dirname(path), written)), outside: false }
      : { path: written, outside: true }
  })
}

const findCycles = (sources: Sources): string[] => {
  const edges = new Map([...sources].map(([path, text]) => [path, importsOf(path, text).map((target) => target.path)]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) cycles.push(`a cycle of imports: ${[...trail.slice(start), path].join(' > ')}`)
    if (start >= 0 || done.has(path)) return
    for (const target of edges.get(path) ?? []) if (edges.has(target)) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return cycles
}

const TOKENS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g

const withoutComments = (text: string): string => text.replace(TOKENS, (token) => (/^\/[/*]/.test(token) ? ' ' : token))

const withoutCommentsAndTexts = (text: string): string =>
  text.replace(TOKENS, (token) => (/^\/[/*]/.test(token) ? ' ' : '""'))
