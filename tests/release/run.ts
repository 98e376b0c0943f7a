import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../../package.json' with { type: 'json' }
import { TARGETS } from '../../packaging/targets.ts'
import { copyExecutable } from '../support/executable.ts'
import { smoke } from './smoke.ts'

/**
 * Tries the executables of a release that this machine can run:
 * `bun tests/release/run.ts [--folder dist/release] [--with linux-arm64='qemu-aarch64-static -L /usr/aarch64-linux-gnu']…`
 * Those for this machine's processor and libc are run as they are; `--with` names the command for another one, and
 * `--only` some of them. Ends with 1 when one that was run does not work.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: 'dist/release' },
    with: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
  },
})

const runners = new Map(
  values.with.map((text) => {
    const [name = '', ...rest] = text.split('=')
    return [name, rest.join('=').split(' ')] as const
  }),
)

const isNative = (name: string): boolean => name.replace('-baseline', '') === `${process.platform}-${process.arch}`

let failed = 0
for (const { name } of TARGETS) {
  if (values.only && !values.only.split(',').includes(name)) continue
  const runner = runners.get(name)
  if (!runner && !isNative(name)) {
    console.log(`${name}: not run, this machine has nothing to run it with`)
    continue
  }
  const started = performance.now()
  const copy = await copyExecutable(join(values.folder, `tonlith-${version}-${name}`))
  try {
    const platform = await smoke({ ...copy, ...(runner ? { runner } : {}) })
    console.log(`${name}: works (${platform}), ${((performance.now() - started) / 1000).toFixed(0)} s`)
  } catch (error) {
    failed++
    console.log(`${name}: ${error instanceof Error ? error.message : error}`)
  } finally {
    copy.remove()
  }
}
process.exit(failed > 0 ? 1 : 0)
