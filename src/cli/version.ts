import { dependencies } from '../../package.json' with { type: 'json' }
import { isTonlithError } from '../common/errors.ts'
import { VERSION } from '../common/version.ts'
import { probeLmdb } from '../store/probe.ts'

/** Prints what this build is made of, one part a line. LMDB is opened for it, and its line says whether that went well. */
export const printVersion = async (print: (line: string) => void): Promise<void> => {
  print(`tonlith ${VERSION}`)
  print(`api v2 ${VERSION}`)
  print(`bun ${Bun.version} ${process.platform}-${process.arch}`)
  print(`elysia ${dependencies.elysia}`)
  print(`lmdb ${dependencies.lmdb} ${await lmdbHealth()}`)
}

const lmdbHealth = async (): Promise<string> => {
  try {
    await probeLmdb()
    return 'works'
  } catch (error) {
    if (isTonlithError(error)) return `does not work: ${error.message}`
    throw error
  }
}
