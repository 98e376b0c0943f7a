import { openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The time of day of processes that are started with `env`, apart from that of the machine. */
export interface ShiftedClock {
  env: Record<string, string>
  /** Moves it so many seconds from that of the machine. */
  shift(seconds: number): void
}

const SOURCE = join(import.meta.dir, 'clock-shift.c')

const bytesOf = (seconds: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(seconds))
  return bytes
}

/** Compiles what moves a clock into a folder; text says why where that cannot be done. */
export const createShiftedClock = (folder: string): ShiftedClock | string => {
  if (process.platform !== 'linux') return 'needs Linux'
  const compiler = Bun.which('cc') ?? Bun.which('gcc') ?? Bun.which('clang')
  if (!compiler) return 'no C compiler is here'
  const library = join(folder, 'clock-shift.so')
  const file = join(folder, 'clock-shift')
  const { exitCode, stderr } = Bun.spawnSync([compiler, '-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'])
  if (exitCode !== 0) return `the C compiler fails: ${stderr.toString().split('\n', 1)[0]}`
  writeFileSync(file, bytesOf(0))
  const descriptor = openSync(file, 'r+')
  const clock: ShiftedClock = {
    env: { LD_PRELOAD: library, SOAK_CLOCK: file },
    shift: (seconds) => void writeSync(descriptor, bytesOf(seconds), 0, 8, 0),
  }
  clock.shift(3600)
  const probe = Bun.spawnSync([process.execPath, '-e', 'console.log(Date.now())'], {
    env: { ...clock.env, PATH: process.env['PATH'] ?? '' },
  })
  clock.shift(0)
  const shifted = Number(probe.stdout.toString()) - Date.now()
  return shifted > 3_000_000 ? clock : 'a preloaded library does not move the clock here'
}
