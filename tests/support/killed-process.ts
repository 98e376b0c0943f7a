import { type Lonely, startExecutable } from './executable.ts'

/** A process that sends webhooks, and can be killed. */
export interface KilledProcess {
  /** When it was seen to work: unix milliseconds. */
  ready: number
  /** Kills it with SIGKILL, and gives when: unix milliseconds. */
  kill(): Promise<number>
}

/** Starts one; undefined where it was killed over its start, `killAfter` milliseconds after that was ordered. */
export type StartKilled = (killAfter?: number) => Promise<KilledProcess | undefined>

const SENDER = new URL('./webhook-sender.ts', import.meta.url).pathname

const started = (child: { kill(signal: NodeJS.Signals): void; exited: Promise<number> }): KilledProcess => ({
  ready: Date.now(),
  kill: async () => {
    child.kill('SIGKILL')
    await child.exited
    return Date.now()
  },
})

/** Processes that only send webhooks, with these delays and this deadline in milliseconds. */
export const webhookSenders =
  (data: string, delays: readonly number[], deadlineMs: number): StartKilled =>
  async (killAfter) => {
    const args = [process.execPath, SENDER, data, delays.join(','), String(deadlineMs)]
    const child = Bun.spawn(args, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
    if (killAfter !== undefined) {
      await Bun.sleep(killAfter)
      child.kill('SIGKILL')
      await child.exited
      return undefined
    }
    const { value } = await child.stdout.getReader().read()
    if (!value) throw new Error('the sender of webhooks did not start')
    return started(child)
  }

/** The gateway itself, with a network of its own. */
export const gateways =
  (alone: Lonely, data: string): StartKilled =>
  async (killAfter) => {
    const args = ['dev', '--listen', '127.0.0.1:0', '--data', data, '--block-interval', '5s', '--log-level', 'warn']
    if (killAfter === undefined) {
      const running = await startExecutable(alone, args)
      const exited = Promise.withResolvers<number>()
      return started({ kill: (signal) => void running.end(signal).then(exited.resolve), exited: exited.promise })
    }
    const child = Bun.spawn([alone.executable, ...args], {
      cwd: alone.folder,
      env: { HOME: alone.folder },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await Bun.sleep(killAfter)
    child.kill('SIGKILL')
    await child.exited
    return undefined
  }
