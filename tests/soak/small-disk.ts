import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A file system of its own, which can be filled up without touching the machine's disks. */
export interface SmallDisk {
  folder: string
  /** Takes all that is free; gives what frees it again. */
  fill(): () => void
  remove(): void
}

const CHUNK = Buffer.alloc(1 << 20, 0xa5)

const run = (...command: string[]): string | undefined => {
  const { exitCode, stderr } = Bun.spawnSync(command)
  return exitCode === 0 ? undefined : stderr.toString().split('\n', 1)[0]
}

/** Writes until nothing more fits. */
const writeAll = (path: string): void => {
  const file = openSync(path, 'w')
  try {
    for (let size = CHUNK.length; size >= 4096; ) {
      try {
        if (writeSync(file, CHUNK, 0, size) < size) size >>= 1
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
        size >>= 1
      }
    }
  } finally {
    closeSync(file)
  }
}

/** Mounts one of so many MiB in memory; text says why where there is no right to. */
export const createSmallDisk = (folder: string, mebibytes: number): SmallDisk | string => {
  if (process.platform !== 'linux') return 'needs Linux'
  mkdirSync(folder, { recursive: true })
  const refused = run('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'soak', folder)
  if (refused !== undefined) return `no file system can be mounted: ${refused}`
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => {
      writeAll(ballast)
      const left = statfsSync(folder).bavail
      if (left > 0) throw new Error(`${left} blocks of the disk could not be filled`)
      return () => rmSync(ballast, { force: true })
    },
    remove: () => {
      run('umount', '-l', folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
