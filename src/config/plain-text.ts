import { UsageError } from './usage-error.ts'

/**
 * A text that can stand in a line of a list or a log.
 * @throws UsageError that begins with `what`
 */
export const plainText = (what: string, text: string): string => {
  if (!/^[\p{L}\p{N}\p{P}\p{S}](?:[\p{L}\p{N}\p{P}\p{S} ]{0,62}[\p{L}\p{N}\p{P}\p{S}])?$/u.test(text))
    throw new UsageError(`${what} must be 1 to 64 printable characters`)
  return text
}
