/** The command line cannot be understood: told in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
