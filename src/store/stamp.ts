import { TonlithError } from '../common/errors.ts'

/** What an environment holds, written into it once and compared at every opening. */
export interface Stamp {
  /** What is kept: "index", "operator". */
  readonly store: string
  /** The version of its tables. */
  readonly version: number
  /** The network that it is about; left out where its rows name their network themselves. */
  readonly network?: string
}

/** The command that helps, for each reason to refuse an environment. */
export interface Remedies {
  readonly otherNetwork: string
  readonly older: string
  readonly newer: string
  readonly damaged: string
}

/** The key of the stamp in the meta table. */
export const STAMP_KEY: Buffer = Buffer.from('stamp')

export const encodeStamp = (stamp: Stamp): Buffer => Buffer.from(JSON.stringify(stamp))

/** Reads what encodeStamp wrote. Throws `invalid`. */
export const decodeStamp = (bytes: Buffer, path: string): Stamp => {
  try {
    const { store, version, network } = JSON.parse(bytes.toString()) as Record<string, unknown>
    if (typeof store !== 'string' || !Number.isSafeInteger(version)) throw new Error('fields are missing')
    return { store, version: version as number, ...(typeof network === 'string' ? { network } : {}) }
  } catch (cause) {
    throw new TonlithError('invalid', `${path} is damaged: its format cannot be read`, { cause })
  }
}

/**
 * Compares what stands in an environment with what is wanted.
 * @throws TonlithError `invalid` that names the difference and what to type
 */
export const checkStamp = (bytes: Buffer, wanted: Stamp, path: string, remedies: Remedies): void => {
  const found = decodeStamp(bytes, path)
  const refuse = (what: string, remedy: string) => new TonlithError('invalid', `${path} ${what}; ${remedy}`)
  if (found.store !== wanted.store)
    throw new TonlithError('invalid', `${path} holds the ${found.store} store, not the ${wanted.store} store`)
  if (found.network !== wanted.network)
    throw refuse(`is of the network ${found.network ?? 'none'}, not ${wanted.network ?? 'none'}`, remedies.otherNetwork)
  const versions = `version ${found.version}, this program's is ${wanted.version}`
  if (found.version < wanted.version) throw refuse(`has an older format (${versions})`, remedies.older)
  if (found.version > wanted.version) throw refuse(`has a newer format (${versions})`, remedies.newer)
}
