import { TonlithError } from '../../src/common/errors.ts'

/** The TonlithError that a promise ends in, undefined when it fulfils. Other errors pass through. */
export const rejectionOf = async (run: Promise<unknown>): Promise<TonlithError | undefined> => {
  try {
    await run
  } catch (error) {
    if (error instanceof TonlithError) return error
    throw error
  }
  return undefined
}
