import { describeSettings } from './cli/config.ts'
import { helpText } from './cli/help.ts'
import { printVersion } from './cli/version.ts'
import { isTonlithError } from './common/errors.ts'
import { parseCommandLine } from './config/command-line.ts'
import { loadSettings } from './config/load.ts'
import { UsageError } from './config/usage-error.ts'

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const run = async (args: readonly string[]): Promise<void> => {
  const command = parseCommandLine(args)
  if (command.verb === 'help') return print(helpText(command.about))
  if (command.verb === 'version') return printVersion(print)
  if (command.verb !== 'config') throw new Error('not wired yet')
  const { effective } = await loadSettings(command.of, {
    flags: command.flags,
    env: process.env,
    folder: process.cwd(),
  })
  describeSettings(effective).forEach(print)
}

const end = (error: unknown): never => {
  const told = error instanceof UsageError || isTonlithError(error)
  process.stderr.write(`tonlith: ${told ? error.message : (error instanceof Error && error.stack) || error}\n`)
  process.exit(error instanceof UsageError ? 2 : 1)
}

process.on('uncaughtException', end)
process.on('unhandledRejection', end)
run(process.argv.slice(2)).catch(end)
