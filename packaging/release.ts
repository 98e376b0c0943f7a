import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageManager, version } from '../package.json' with { type: 'json' }
import { buildExecutable } from './executable.ts'
import { inventory } from './inventory.ts'
import { writePapers } from './papers.ts'
import { packageOf, TARGETS, type Target } from './targets.ts'

/**
 * Builds a release: the executable of each platform, bill of materials, licences and SHA256SUMS, in `dist/release`.
 * `node run.mjs release [--only linux-x64,…] [--out DIR]` installs before what it needs.
 */

const ROOT = join(import.meta.dir, '..')
const PARTS = join(import.meta.dir, 'parts')

const chosen = (names: string | undefined): readonly Target[] => {
  if (names === undefined) return TARGETS
  return names.split(',').map((name) => {
    const target = TARGETS.find((one) => one.name === name)
    if (!target) throw new Error(`no platform ${name}; there are ${TARGETS.map((one) => one.name).join(', ')}`)
    return target
  })
}

const part = (path: string): string => {
  const found = join(PARTS, 'node_modules', path)
  if (!existsSync(found)) throw new Error(`${path} is not installed: node run.mjs release installs it`)
  return found
}

/** Builds one executable and gives its packages. */
const buildFor = async (target: Target, outfile: string): Promise<string[]> => {
  const started = performance.now()
  const { heard, inside } = await buildExecutable({
    runtime: part(target.runtime),
    addon: part(target.addon),
    target: target.compile,
    outfile,
  })
  if (heard.length > 0) throw new Error(`the executable for ${target.name} obeys ${heard.join(', ')}`)
  const size = (Bun.file(outfile).size / 2 ** 20).toFixed(0)
  console.log(`${basename(outfile)}: ${size} MiB in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return [...inside, packageOf(target.runtime)]
}

const sha256 = async (path: string): Promise<string> => {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk)
  return hash.digest('hex')
}

const release = async (targets: readonly Target[], folder: string): Promise<void> => {
  if (`bun@${Bun.version}` !== packageManager)
    throw new Error(`a release is built by ${packageManager}, not ${Bun.version}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const stem = join(folder, `tonlith-${version}`)
  const inside = new Set<string>()
  for (const target of targets) {
    for (const key of await buildFor(target, `${stem}-${target.name}`)) inside.add(key)
  }
  const lockOf = (project: string) => Bun.file(join(project, 'bun.lock')).text()
  const isRuntime = (key: string) => key.startsWith('@oven/')
  const ours = inventory(await lockOf(ROOT), new Set([...inside].filter((key) => !isRuntime(key))), [ROOT, PARTS])
  const parts = inventory(await lockOf(PARTS), new Set([...inside].filter(isRuntime)), [PARTS])
  await writePapers(stem, [...ours, ...parts.filter(({ key }) => isRuntime(key))])
  const files = [...targets.map(({ name }) => `${stem}-${name}`), `${stem}.cdx.json`, `${stem}.licences.txt`]
  const lines: string[] = []
  for (const file of files) lines.push(`${await sha256(file)}  ${basename(file)}\n`)
  await Bun.write(join(folder, 'SHA256SUMS'), lines.join(''))
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, out: { type: 'string', default: 'dist/release' } },
})
try {
  await release(chosen(values.only), join(ROOT, values.out))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
