import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RECORDED_NETWORK } from '../support/recorded-network.ts'

export const BINARY = new URL('../../dist/tonlith', import.meta.url).pathname

/** The compiled binary running `dev`, ready to answer. */
export interface Program {
  pid: number
  port: number
  liteserver: { port: number; key: Buffer }
  /** Milliseconds from the start of the process to the line `listening on`. */
  startMs: number
  stop(): Promise<void>
}

/** Starts `dist/tonlith dev` without limits on free ports, in a data folder of its own; with more flags if given. */
export const startProgram = async (...flags: string[]): Promise<Program> => {
  const data = mkdtempSync(join(tmpdir(), 'tonlith-bench-'))
  const startedAt = performance.now()
  const child = Bun.spawn(
    [
      BINARY,
      ...RECORDED_NETWORK,
      '--listen',
      '127.0.0.1:0',
      '--liteserver',
      '127.0.0.1:0',
      '--data',
      data,
      '--keyless-rps',
      '0',
      ...flags,
    ],
    { stdout: 'pipe', stderr: 'inherit', cwd: data },
  )
  const stop = async (): Promise<void> => {
    child.kill()
    await child.exited
    rmSync(data, { recursive: true, force: true })
  }
  let text = ''
  for await (const chunk of child.stdout) {
    text += Buffer.from(chunk).toString()
    const listening = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)
    const liteserver = /liteserver 127\.0\.0\.1:(\d+) (\S+)/.exec(text)
    if (!listening || !liteserver) continue
    return {
      pid: child.pid,
      port: Number(listening[1]),
      liteserver: { port: Number(liteserver[1]), key: Buffer.from(liteserver[2]!, 'base64') },
      startMs: performance.now() - startedAt,
      stop,
    }
  }
  await stop()
  throw new Error('tonlith dev ended before it answered')
}
