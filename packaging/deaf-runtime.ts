/**
 * Names in the environment by which Bun takes orders from its surroundings, also in a compiled executable: more
 * arguments (`BUN_OPTIONS=--preload=x.js` runs x.js first), being Bun instead of the program (`BUN_BE_BUN`), a debugger and
 * what it preloads (`BUN_INSPECT…`), headers of requests on standard error, TLS without certificates.
 */
export const ORDERS = [
  'BUN_OPTIONS',
  'BUN_BE_BUN',
  'BUN_INSPECT',
  'BUN_CONFIG_VERBOSE_FETCH',
  'NODE_TLS_REJECT_UNAUTHORIZED',
] as const

/**
 * Makes Bun deaf to them: in the bytes of its executable the first letter of each of these names becomes an underscore,
 * wherever it stands (it is read under a name that nobody sets, and still a name to the JavaScript inside).
 * Changes `runtime` and gives the names that were not found.
 */
export const deafen = (runtime: Buffer): string[] => ORDERS.filter((name) => !renameAll(runtime, name))

const renameAll = (bytes: Buffer, name: string): boolean => {
  let at = bytes.indexOf(name)
  const found = at >= 0
  for (; at >= 0; at = bytes.indexOf(name, at + name.length)) bytes[at] = '_'.charCodeAt(0)
  return found
}
