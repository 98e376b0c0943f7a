import { accessSync, constants, lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { TonlithError } from './errors.ts'

/** Says in a few words why a file cannot be read: a code of the file system, or what stands in its place. */
export class UnreadableFile extends Error {
  /** Whether nothing has that name, not even a link. */
  readonly missing: boolean

  constructor(why: string, missing = false) {
    super(why)
    this.name = 'UnreadableFile'
    this.missing = missing
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown failure'

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

const kindOf = (stats: Stats): string => {
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

/** By which a user says that there is to be no file. */
const NOTHING = '/dev/null'

/** True for what a shell hands over to a program that it starts, as `<(…)` does: somebody writes to the other end. */
const isHandedOver = (path: string): boolean => /^\/(dev\/(stdin|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/.test(path)

/**
 * Insists that a regular file stands there, or a link to one, that may be read, or a pipe from the shell, or /dev/null: opening
 * another pipe can wait for ever, and a device may have no end. Gives its length in bytes, 0 for a pipe.
 * @throws UnreadableFile
 */
export const regularFile = (path: string): number => {
  try {
    const stats = statSync(path)
    if (!stats.isFile() && !(stats.isFIFO() && isHandedOver(path)) && path !== NOTHING)
      throw new UnreadableFile(kindOf(stats))
    accessSync(path, constants.R_OK)
    return stats.size
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    const code = codeOf(error)
    const absent = code === 'ENOENT' || code === 'ENOTDIR'
    if (code === 'ENOENT' && isLink(path)) throw new UnreadableFile('a link to nothing')
    throw new UnreadableFile(code, absent)
  }
}

const whole = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UnreadableFile(codeOf(error))
  }
}

/**
 * Reads a regular file, or a pipe from the shell to its end.
 * @param max bytes that it may have
 * @throws UnreadableFile
 */
export const readRegularFile = (path: string, max: number): Buffer => {
  const bytes = regularFile(path) > max ? undefined : whole(path)
  if (!bytes || bytes.length > max) throw new UnreadableFile(`more than ${max} bytes`)
  return bytes
}

/**
 * Reads a regular file, or a pipe from the shell, that a user named.
 * @param what it is, in words
 * @param max bytes that it may have
 * @throws TonlithError `invalid` that says why it cannot be read
 */
export const readNamedFile = (what: string, path: string, max: number): Buffer => {
  try {
    return readRegularFile(path, max)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    throw new TonlithError('invalid', `${what} cannot be read: ${path} (${error.message})`)
  }
}
