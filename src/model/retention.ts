/** How much is kept: what is younger than some seconds, what fits into some bytes, or all. */
export type Retention = { seconds: number } | { bytes: number } | 'forever'

/** True when something may be kept now that was not before: also where the two cannot be compared. */
export const keepsMore = (now: Retention, before: Retention): boolean => {
  if (before === 'forever') return false
  if (now === 'forever') return true
  if ('seconds' in now && 'seconds' in before) return now.seconds > before.seconds
  if ('bytes' in now && 'bytes' in before) return now.bytes > before.bytes
  return true
}
