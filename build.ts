import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BunPlugin } from 'bun'

/** Builds the executable: `bun build.ts [--target bun-linux-arm64] [--out dist/tonlith]`. */

const PREBUILT_ADDON = { glibc: 'node.napi.glibc.node', musl: 'node.napi.musl.node', other: 'node.napi.node' }

type Platform = { os: string; arch: string; libc: keyof typeof PREBUILT_ADDON }

const runningPlatform = (): Platform => {
  const os = process.platform
  const musl = os === 'linux' && existsSync('/etc/alpine-release')
  return { os, arch: process.arch, libc: os !== 'linux' ? 'other' : musl ? 'musl' : 'glibc' }
}

/** Reads a Bun target: `bun-linux-x64`, `bun-linux-x64-baseline`, `bun-linux-arm64-musl`, `bun-darwin-arm64`. */
const platformOf = (target: string): Platform => {
  const [, os, arch, ...rest] = target.split('-')
  if (!os || !arch) throw new Error(`not a Bun target: ${target}`)
  return { os, arch, libc: os !== 'linux' ? 'other' : rest.includes('musl') ? 'musl' : 'glibc' }
}

/**
 * lmdb looks for its native addon on disk when it starts, which a single executable does not have. This puts a static
 * `require` of the addon in the place of the search, so that Bun embeds it.
 */
const embedLmdbAddon = (addon: string): BunPlugin => ({
  name: 'embed-lmdb-addon',
  setup(build) {
    build.onResolve({ filter: /^node-gyp-build-optional-packages$/ }, () => ({
      path: 'lmdb-addon',
      namespace: 'embedded',
    }))
    build.onLoad({ filter: /.*/, namespace: 'embedded' }, () => ({
      contents: `module.exports = () => require(${JSON.stringify(addon)})`,
      loader: 'js',
    }))
  },
})

const { values } = parseArgs({
  options: { target: { type: 'string' }, out: { type: 'string', default: 'dist/tonlith' } },
})
const platform = values.target ? platformOf(values.target) : runningPlatform()
const addon = join(
  import.meta.dir,
  `node_modules/@lmdb/lmdb-${platform.os}-${platform.arch}`,
  PREBUILT_ADDON[platform.libc],
)
if (!existsSync(addon)) {
  console.error(`${addon} is missing; for another platform install its addon with: bun install --os='*' --cpu='*'`)
  process.exit(1)
}

/** Bytes that the head of a request may have (contracts/v2.md 1.1): only an argument of the runtime can say so. */
const MAX_HEAD_BYTES = 64 << 10

const started = performance.now()
const result = await Bun.build({
  entrypoints: ['src/main.ts', 'src/tvm/worker.ts', 'src/cli/index-worker.ts', 'src/cli/dev-worker.ts'].map((path) =>
    join(import.meta.dir, path),
  ),
  compile: {
    outfile: join(import.meta.dir, values.out),
    autoloadDotenv: false,
    autoloadBunfig: false,
    execArgv: [`--max-http-header-size=${MAX_HEAD_BYTES}`],
    ...(values.target ? { target: values.target as Bun.Build.CompileTarget } : {}),
  },
  target: 'bun',
  bytecode: true,
  minify: { whitespace: true, syntax: true, identifiers: false },
  plugins: [embedLmdbAddon(addon)],
  throw: false,
})
if (!result.success) {
  for (const message of result.logs) console.error(String(message))
  process.exit(1)
}
const size = (Bun.file(join(import.meta.dir, values.out)).size / 2 ** 20).toFixed(0)
console.log(`${values.out}: ${size} MiB in ${((performance.now() - started) / 1000).toFixed(1)} s`)
