// The scripts of package.json: plain JavaScript that runs in Node >= 20 and in Bun with nothing installed.
// It finds a Bun that is new enough (or installs the pinned one under node_modules), installs what bun.lock names, and
// then builds, tests, checks, measures, soaks, starts or makes a release.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const executable = join(root, 'dist', process.platform === 'win32' ? 'tonlith.exe' : 'tonlith')
const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager.replace(/^bun@/, '')

/** What a test may take unless it says otherwise: Bun's own 5 s are short for a loaded machine. */
const TEST_TIMEOUT_MS = 60_000

const fail = (message) => {
  console.error(message)
  process.exit(1)
}

const isAtLeast = (version, minimum) => {
  const [a, b] = [version, minimum].map((text) => text.trim().split(/[.-]/).map(Number))
  for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return a[i] > b[i]
  return true
}

const versionOf = (bun) => {
  const { status, stdout } = spawnSync(bun, ['--version'], { encoding: 'utf8' })
  return status === 0 && /^\d+\.\d+\.\d+/.test(stdout) ? stdout : '0.0.0'
}

/** Runs a command to its end in the repository; its failure is ours. */
const must = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) fail(`${command}: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

const isPinned = (version, pinned) => version.trim() === pinned

/** The path of a Bun of a version that `fits` the pinned one: the one that runs this, the one on PATH, or one from npm. */
const findBun = (fits) => {
  if (process.versions.bun && fits(process.versions.bun, wanted)) return process.execPath
  if (fits(versionOf('bun'), wanted)) return 'bun'
  const folder = join(root, 'node_modules', '.cache', `bun-${wanted}`)
  const bun = join(folder, 'node_modules', 'bun', 'bin', 'bun.exe')
  if (!existsSync(bun) || versionOf(bun) === '0.0.0') installBun(folder)
  return bun
}

/** Package managers may refuse install scripts, so they are told to skip them, and Bun's own one is run here. */
const installBun = (folder) => {
  console.log(`installing Bun ${wanted} under node_modules`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { bun: wanted } }))
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const npm = process.env.npm_execpath
  if (process.versions.bun) must(process.execPath, ['install', '--ignore-scripts'], { cwd: folder })
  else if (npm?.endsWith('npm-cli.js')) must(process.execPath, [npm, 'install', ...quiet], { cwd: folder })
  else must('npm', ['install', ...quiet], { cwd: folder, shell: process.platform === 'win32' })
  must(process.execPath, [join(folder, 'node_modules', 'bun', 'install.js')], { cwd: folder })
}

const [task, ...args] = process.argv.slice(2)

/** Another version of Bun makes other bytes of the same sources, and a release must be the same for everybody. */
const bun = findBun(task === 'release' ? isPinned : isAtLeast)

/** What is already there stays, so that starting after testing removes nothing. */
const install = (...more) => must(bun, ['install', '--frozen-lockfile', ...more])
const build = (...more) => must(bun, ['build.ts', ...more])
const tool = (name, ...more) => must(bun, ['x', '--bun', '--no-install', name, ...more])

/**
 * Runs the program in the foreground and ends with its exit code. A terminal gives SIGINT to the program itself. A script
 * runner that is killed does not pass it on: that its process is gone is seen here.
 */
const start = (...more) => {
  const child = spawn(executable, more, { cwd: root, stdio: 'inherit' })
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

const tasks = {
  start: () => {
    build()
    start('dev', ...args)
  },
  build: () => build(...args),
  release: () => {
    const parts = join(root, 'packaging', 'parts')
    must(bun, ['install', '--frozen-lockfile', '--os=*', '--cpu=*'], { cwd: parts })
    must(bun, ['packaging/release.ts', ...args])
  },
  test: () => {
    build()
    must(bun, ['test', `--timeout=${TEST_TIMEOUT_MS}`, ...args])
  },
  check: () => {
    tool('biome', 'check', '--error-on-warnings')
    tool('tsc', '--noEmit')
  },
  bench: () => {
    build()
    must(bun, ['tests/bench/run.ts', ...args])
  },
  soak: () => {
    build()
    must(bun, ['tests/soak/run.ts', ...args])
  },
}

if (!Object.hasOwn(tasks, task ?? '')) fail(`usage: run.mjs ${Object.keys(tasks).join('|')}`)
const needsOnlyTheProgram = ['start', 'build', 'release'].includes(task)
install(...(needsOnlyTheProgram ? ['--production'] : []))
tasks[task]()
