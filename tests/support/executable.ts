import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What `npm run build` makes. */
const BUILT = join(import.meta.dir, '../../dist', process.platform === 'win32' ? 'tonlith.exe' : 'tonlith')

/** The executable alone in a folder of its own, with nothing of the repository around it. */
export type Lonely = {
  folder: string
  executable: string
  /** The command that runs it where this machine does not do so by itself: an emulator with its arguments. */
  runner?: readonly string[]
  remove(): void
}

/** Copies the executable, or another one, into a new empty folder. Throws when it was not built. */
export const copyExecutable = async (built = BUILT): Promise<Lonely> => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-alone-'))
  const executable = join(folder, 'tonlith')
  await copyFile(built, executable).catch((cause) => {
    throw new Error(`${built} is not built: npm run build`, { cause })
  })
  return { folder, executable, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Runs it with nothing of our environment, so that no setting, path or module of this machine leaks into it. */
const spawn = ({ folder, executable, runner = [] }: Lonely, args: readonly string[], env: Record<string, string>) =>
  Bun.spawn([...runner, executable, ...args], {
    cwd: folder,
    env: { HOME: folder, TMPDIR: tmpdir(), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })

export type Finished = { code: number; stdout: string; stderr: string }

/** Runs the executable to its end. */
export const runExecutable = async (
  lonely: Lonely,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Finished> => {
  const child = spawn(lonely, args, env)
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

export type Running = {
  /** `http://HOST:PORT` */
  url: string
  /** The lines of standard output up to and with `listening on …`. */
  lines: readonly string[]
  pid: number
  /** Sends a signal and gives the exit code. */
  end(signal?: NodeJS.Signals): Promise<number>
  /** Sends a signal and waits for nothing. */
  signal(signal: NodeJS.Signals): void
  /** All of standard error so far. */
  stderr(): string
  hasEnded(): boolean
}

/** Starts the executable and waits until it listens. Throws with its standard error when it ends before that. */
export const startExecutable = async (
  lonely: Lonely,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Running> => {
  const child = spawn(lonely, args, env)
  let stderr = ''
  const errors = collect(child.stderr, (text) => {
    stderr += text
  })
  const lines = await linesUntil(child.stdout, 'listening on ')
  const url = lines.at(-1)?.match(/^listening on (http:\S+)$/)?.[1]
  if (url === undefined) {
    child.kill('SIGKILL')
    await errors
    throw new Error(`tonlith did not start: ${stderr}`)
  }
  return {
    url,
    lines,
    pid: child.pid,
    stderr: () => stderr,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    signal: (signal) => child.kill(signal),
    end: (signal = 'SIGTERM') => {
      child.kill(signal)
      return child.exited
    },
  }
}

const collect = async (stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> => {
  const decoder = new TextDecoder()
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }))
}

/** Lines of a stream up to the one that begins with `start`, or all of them when none does. */
const linesUntil = async (stream: ReadableStream<Uint8Array>, start: string): Promise<string[]> => {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    const lines = text.split('\n').slice(0, -1)
    const last = lines.findIndex((line) => line.startsWith(start))
    if (last >= 0) return lines.slice(0, last + 1)
    if (done) return lines
  }
}
