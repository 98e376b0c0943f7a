import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from './packaging/executable.ts'

/** Builds the executable for this machine: `bun build.ts [--out dist/tonlith]`. For others: packaging/release.ts. */

const ADDONS = { glibc: 'node.napi.glibc.node', musl: 'node.napi.musl.node', other: 'node.napi.node' }

const libc = process.platform !== 'linux' ? 'other' : existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
const addon = join(import.meta.dir, `node_modules/@lmdb/lmdb-${process.platform}-${process.arch}`, ADDONS[libc])
if (!existsSync(addon)) {
  console.error(`${addon} is missing: there is no LMDB for this platform, or it was not installed (bun install)`)
  process.exit(1)
}

const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/tonlith' } } })
const outfile = join(import.meta.dir, values.out)
const started = performance.now()
const heard = await buildExecutable({ runtime: process.execPath, addon, outfile }).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
if (heard.length > 0) {
  console.error(
    `warning: Bun ${Bun.version} is another than this was made for: the executable obeys ${heard.join(', ')}`,
  )
}
const size = (Bun.file(outfile).size / 2 ** 20).toFixed(0)
console.log(`${values.out}: ${size} MiB in ${((performance.now() - started) / 1000).toFixed(1)} s`)
