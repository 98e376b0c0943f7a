import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from './packaging/executable.ts'
import { bunItself, inventory } from './packaging/inventory.ts'
import { writePapers } from './packaging/papers.ts'

/** Builds the executable for this machine: `bun build.ts [--out dist/tonlith]`. For others: packaging/release.ts. */

const ROOT = import.meta.dir
const ADDONS = { glibc: 'node.napi.glibc.node', musl: 'node.napi.musl.node', other: 'node.napi.node' }

const build = async (out: string): Promise<void> => {
  const libc = process.platform !== 'linux' ? 'other' : existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const addon = join(ROOT, `node_modules/@lmdb/lmdb-${process.platform}-${process.arch}`, ADDONS[libc])
  if (!existsSync(addon)) {
    throw new Error(`${addon} is missing: there is no LMDB for this platform, or it was not installed (bun install)`)
  }
  const started = performance.now()
  const outfile = join(ROOT, out)
  const { heard, inside } = await buildExecutable({ runtime: process.execPath, addon, outfile })
  if (heard.length > 0) {
    console.error(`warning: this does not know Bun ${Bun.version}: the executable obeys ${heard.join(', ')}`)
  }
  const locked = inventory(await Bun.file(join(ROOT, 'bun.lock')).text(), inside, [ROOT])
  await writePapers(outfile, [...locked, bunItself(Bun.version)])
  const size = (Bun.file(outfile).size / 2 ** 20).toFixed(0)
  console.log(`${out}: ${size} MiB in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/tonlith' } } })
await build(values.out).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
