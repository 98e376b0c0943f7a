import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { deafen } from './deaf-runtime.ts'
import { keyOfFile } from './lockfile.ts'

const ROOT = join(import.meta.dir, '..')

/** The program, and what it runs in Workers. */
const ENTRYPOINTS = [
  'src/main.ts',
  'src/tvm/worker.ts',
  'src/cli/index-worker.ts',
  'src/cli/block-reader-worker.ts',
  'src/cli/dev-worker.ts',
]

/** Bytes that the head of a request may have (contracts/v2.md 1.1): only an argument of the runtime can say so. */
const MAX_HEAD_BYTES = 64 << 10

/** Where modules are told that they stand: folders of the machine that builds have no place in the executable. */
const PLACE_OF_MODULES = '/tonlith'

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

export type Parts = {
  /** Path of the Bun that runs the program. */
  runtime: string
  /** Path of LMDB's native addon for the same platform. */
  addon: string
  /** Bun's name of the platform; this machine's when left out. */
  target?: Bun.Build.CompileTarget
  /** Path of the executable to write. */
  outfile: string
}

export type Built = {
  /** Names by which the runtime may still take orders from its surroundings (`deafen`); none if all is well. */
  heard: readonly string[]
  /** Packages of which something is inside, as keys of `bun.lock`. */
  inside: ReadonlySet<string>
}

/**
 * Builds the executable. The same sources and parts give the same bytes, in whatever folder.
 * Throws with the messages of the bundler when it does not build.
 */
export const buildExecutable = async (parts: Parts): Promise<Built> => {
  const scratch = mkdtempSync(join(tmpdir(), 'tonlith-build-'))
  try {
    const bytes = Buffer.from(await Bun.file(parts.runtime).arrayBuffer())
    const heard = deafen(bytes)
    const runtime = join(scratch, 'runtime')
    await Bun.write(runtime, bytes)
    return { heard, inside: await bundle({ ...parts, runtime }) }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const bundle = async ({ runtime, addon, target, outfile }: Parts): Promise<Set<string>> => {
  const result = await Bun.build({
    entrypoints: ENTRYPOINTS.map((path) => join(ROOT, path)),
    compile: {
      outfile,
      executablePath: runtime,
      autoloadDotenv: false,
      autoloadBunfig: false,
      execArgv: [`--max-http-header-size=${MAX_HEAD_BYTES}`],
      ...(target ? { target } : {}),
    },
    target: 'bun',
    bytecode: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    define: {
      __dirname: JSON.stringify(PLACE_OF_MODULES),
      __filename: JSON.stringify(`${PLACE_OF_MODULES}/module.js`),
      'import.meta.url': JSON.stringify(`file://${PLACE_OF_MODULES}/module.js`),
    },
    plugins: [embedLmdbAddon(addon)],
    metafile: true,
    throw: false,
  })
  if (!result.success) throw new Error(result.logs.map(String).join('\n'))
  const files = Object.keys(result.metafile?.inputs ?? {})
  if (files.length === 0) throw new Error('the bundler does not tell what is in the executable')
  return new Set(files.flatMap((path) => keyOfFile(path.replaceAll('\\', '/')) ?? []))
}
