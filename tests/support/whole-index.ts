import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startArchive } from './archive-client.ts'
import { type Lonely, runExecutable } from './executable.ts'
import { untilReady } from './ready.ts'
import { startServed } from './served-gateway.ts'

/** Runs the executable until it has indexed the recorded chain up to `head`, and leaves the index in `data`. */
export const makeWholeIndex = async (alone: Lonely, data: string, head: number): Promise<void> => {
  const archive = await startArchive({ head })
  const servers = [{ ...archive.address, key: archive.publicKey }]
  const flags = ['--trust', 'proofs', '--index-from', 'genesis', '--index-retain', 'forever']
  const gateway = await startServed(alone, data, servers, ...flags)
  await untilReady(gateway.url)
  await gateway.end()
  await archive.stop()
}

/** A copy of a data folder under another name. */
export const copyData = (alone: Lonely, from: string, to: string): void =>
  cpSync(join(alone.folder, from), join(alone.folder, to), { recursive: true })

/** What `tonlith index info` counts, without the size of the file; the line of the failure where there is one. */
export const countsOf = async (alone: Lonely, data: string): Promise<string> => {
  const { code, stdout, stderr } = await runExecutable(alone, ['index', 'info', '--data', data])
  return code === 0 ? stdout.replace(/^(data|file|free on the disk) .*\n/gm, '') : stderr
}
