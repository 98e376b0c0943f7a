import { pathToFileURL } from 'node:url'
import { describeSettings } from './cli/config.ts'
import { helpText } from './cli/help.ts'
import { HTTP_WORKER } from './cli/http-worker-word.ts'
import { createReload } from './cli/reload-on-signal.ts'
import type { SpawnWorkers } from './cli/start-parts.ts'
import { printVersion } from './cli/version.ts'
import { isTonlithError, TonlithError, toldOf } from './common/errors.ts'
import { exitOnSignals } from './common/shutdown.ts'
import { type CommandLine, parseCommandLine } from './config/command-line.ts'
import { loadAsRead, loadSettings } from './config/load.ts'
import { UsageError } from './config/usage-error.ts'
import type { Settings } from './config.ts'

const DRAIN_MS = 10_000

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** `import.meta.url` is of no use here: in the executable it names a file of the machine that built it. */
const spawn: SpawnWorkers = {
  tvm: () => new Worker(new URL('./tvm/worker.ts', pathToFileURL(Bun.main))),
  index: () => new Worker(new URL('./cli/index-worker.ts', pathToFileURL(Bun.main))),
  reader: () => new Worker(new URL('./cli/block-reader-worker.ts', pathToFileURL(Bun.main))),
  dev: () => new Worker(new URL('./cli/dev-worker.ts', pathToFileURL(Bun.main))),
}

/** What looks at or changes things that are kept, or asks a network that runs. */
type Task = Extract<CommandLine, { verb: 'keys' | 'merchants' | 'webhooks' | 'backup' | 'index' } | { action: object }>

const isTask = (command: CommandLine): command is Task =>
  command.verb === 'backup' || ('action' in command && command.action !== undefined)

const perform = async (command: Task, settings: Settings): Promise<void> => {
  switch (command.verb) {
    case 'keys':
      return (await import('./cli/keys.ts')).keys(command.action, settings, print)
    case 'merchants':
      return (await import('./cli/merchants.ts')).merchants(command.action, settings, print)
    case 'webhooks':
      return (await import('./cli/webhooks.ts')).webhooks(command.action, settings, print)
    case 'backup':
      return (await import('./cli/backup.ts')).backup(settings.data, command.to, command.withIndex, print)
    case 'dev':
      return (await import('./cli/dev-verb.ts')).devVerb(command.action, settings, print)
    case 'index': {
      const tools = { print, spawnTvm: spawn.tvm, terminal: process }
      process.exitCode = await (await import('./cli/index-verb.ts')).indexVerb(command.action, settings, tools)
    }
  }
}

const run = async (args: readonly string[]): Promise<void> => {
  if (args[0] === HTTP_WORKER && process.send) return (await import('./cli/http-worker.ts')).httpWorker(spawn, DRAIN_MS)
  const command = parseCommandLine(args)
  if (command.verb === 'help') return print(helpText(command.about))
  if (command.verb === 'version') return printVersion(print)
  if (command.verb === 'openapi') return print((await import('./cli/openapi.ts')).openApiText())
  const of = command.verb === 'config' ? command.of : command.verb === 'dev' ? 'dev' : 'serve'
  const sources = { flags: command.flags, env: process.env, folder: process.cwd() }
  if (command.verb === 'doctor') {
    const { doctor } = await import('./cli/doctor.ts')
    process.exitCode = await doctor(() => loadSettings(of, sources), command.json, print)
    return
  }
  if (isTask(command)) {
    const { settings, faults } = await loadAsRead(of, sources)
    await perform(command, settings)
    for (const fault of faults) process.stderr.write(`tonlith: not needed here, but wrong: ${fault}\n`)
    return
  }
  const load = () => loadSettings(of, sources)
  const resolved = await load()
  const { settings, effective } = resolved
  if (command.verb === 'config') return describeSettings(effective).forEach(print)
  const start = of === 'dev' ? (await import('./cli/dev.ts')).dev : (await import('./cli/serve.ts')).serve
  // Signals are heard from now on: what a start has begun is ended in order, too.
  const started = start(settings, print, spawn)
  exitOnSignals(async () => (await started).stop(), DRAIN_MS, process)
  const { logger, reloaded } = await started
  const reload = createReload(resolved, load, logger, reloaded)
  process.on('SIGHUP', () => void reload())
}

/** Ends with one line: exit code 2 for a command line that is not understood, 1 for all else. */
const end = (error: unknown): never => {
  const told = error instanceof UsageError || isTonlithError(error)
  process.stderr.write(`tonlith: ${told ? error.message : (error instanceof Error && toldOf(error).stack) || error}\n`)
  process.exit(error instanceof UsageError ? 2 : 1)
}

/** A reader that has seen enough (`| head -1`) is no failure. */
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') end(new TonlithError('invalid', `standard output cannot be written: ${code}`))
})
process.on('uncaughtException', end)
process.on('unhandledRejection', end)
run(process.argv.slice(2)).catch(end)
