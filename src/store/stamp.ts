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
  /** For a format that is not upgraded in place, or not now. */
  readonly older: string | ((version: number) => string)
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
 * @param oldest the oldest version that is accepted: the wanted one where nothing is said
 * @returns the version that it has
 * @throws TonlithError `unsupported` for a newer version: a program that does not know it must leave it alone; `invalid`
 * for all else, which names the difference and what to do
 */
export const checkStamp = (
  bytes: Buffer,
  wanted: Stamp,
  path: string,
  { otherNetwork, older, newer }: Remedies,
  oldest = wanted.version,
): number => {
  const { store, network, version } = decodeStamp(bytes, path)
  const invalid = (what: string, remedy: string) => new TonlithError('invalid', `${path} ${what}; ${remedy}`)
  if (store !== wanted.store)
    throw new TonlithError('invalid', `${path} holds the ${store} store, not the ${wanted.store} store`)
  if (network !== wanted.network)
    throw invalid(`is of the network ${network ?? 'none'}, not ${wanted.network ?? 'none'}`, otherNetwork)
  const versions = `version ${version}, this program's is ${wanted.version}`
  if (version < oldest) {
    const remedy = typeof older === 'string' ? older : older(version)
    throw invalid(`has an older format (${versions})`, remedy)
  }
  if (version > wanted.version)
    throw new TonlithError('unsupported', `${path} has a newer format (${versions}); ${newer}`)
  return version
}
