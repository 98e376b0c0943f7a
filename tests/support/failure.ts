import { type ErrorKind, TonlithError } from '../../src/common/errors.ts'

/** The kind of the TonlithError that `run` throws; the text `none` when it throws nothing. Other errors pass through. */
export const failureOf = (run: () => unknown): ErrorKind | 'none' => {
  try {
    run()
  } catch (error) {
    if (error instanceof TonlithError) return error.kind
    throw error
  }
  return 'none'
}
