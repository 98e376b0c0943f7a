import { version } from '../../package.json' with { type: 'json' }

/**
 * The version of this build and of API v2 at once, `2.2.<patch>`: major 2 is the API's, minor 2 names this
 * implementation (0 and 1 are taken by others), the patch grows with every release. Written once, in package.json.
 */
export const VERSION: string = version
