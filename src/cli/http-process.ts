import { statSync } from 'node:fs'
import { COUNTS_FD } from './http-worker-messages.ts'
import { HTTP_WORKER } from './http-worker-word.ts'
import type { SpawnHttpProcess } from './http-workers.ts'
import type { ProcessMessage } from './process-calls.ts'

const SELF = '/proc/self/exe'
/** Where the modules of an executable of Bun are. */
const EMBEDDED = '/$bunfs/'
const SETTING = 'TONLITH_'

/** The executable that runs, by its name where that still leads to it: it may have been replaced by a newer one. */
const ownExecutable = (): string => {
  try {
    const [named, self] = [statSync(process.execPath), statSync(SELF)]
    return named.ino === self.ino && named.dev === self.dev ? process.execPath : SELF
  } catch {
    return SELF
  }
}

/** Settings are told later, also those that are secret: nothing of them stands in the new process's surroundings. */
const surroundings = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith(SETTING)))

/** Starts this program anew as a further process; `counts` is the number of the file that both count in. */
export const httpProcesses =
  (counts: number): SpawnHttpProcess =>
  (message, ended) => {
    const program = Bun.main.startsWith(EMBEDDED) ? [] : [Bun.main]
    const stdio: ['ignore', 'ignore', 'inherit', ...number[]] = ['ignore', 'ignore', 'inherit']
    stdio[COUNTS_FD] = counts
    const child = Bun.spawn([ownExecutable(), ...program, HTTP_WORKER], {
      argv0: 'tonlith',
      env: surroundings(),
      stdio,
      serialization: 'advanced',
      ipc: (received) => message(received as ProcessMessage),
      onExit: (_, code, signal) => ended(signal === null ? `exit code ${code}` : `signal ${signal}`),
    })
    return {
      pid: child.pid,
      post: (sent) => {
        try {
          child.send(sent)
        } catch {
          // It has ended, as `ended` tells.
        }
      },
      kill: () => child.kill('SIGKILL'),
    }
  }
