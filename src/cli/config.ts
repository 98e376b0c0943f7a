import { withoutCredentials } from '../common/url-text.ts'
import type { Effective } from '../config/resolve.ts'

/**
 * The effective settings in the form of the file of settings, each with the place that it comes from. What is not set
 * or cannot stand in that file is a comment. A secret's value never appears, nor do names and passwords in URLs.
 */
export const describeSettings = (effective: readonly Effective[]): string[] =>
  effective.map(({ setting, text, origin }) => {
    if (text === undefined) return `# ${setting.key} is not set`
    if (setting.secret) return `# ${setting.key} is set and secret  (${origin})`
    const line = `${setting.key} = ${JSON.stringify(withoutCredentials(text))}  # ${origin}`
    return setting.inFile === false ? `# ${line}` : line
  })
