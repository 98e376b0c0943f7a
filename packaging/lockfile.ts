/** A package of `bun.lock`. */
export type LockedPackage = {
  /** Its name, with the name of the package in whose folder it is installed in front: `table/ajv`. */
  readonly key: string
  readonly name: string
  readonly version: string
  /** `sha512-` and base64, of the packed file of the registry. */
  readonly integrity: string
  /** Keys of what it needs. */
  readonly needs: readonly string[]
}

type Meta = {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  optionalPeers?: string[]
}
type Lock = {
  workspaces: Record<string, { dependencies?: Record<string, string> }>
  packages: Record<string, readonly [spec: string, registry: string, meta: Meta, integrity: string]>
}

/**
 * What a project needs to run, out of the text of its `bun.lock`: its dependencies (not those for development), what those
 * need, and so on, optional ones and peers too. Sorted by key.
 * Throws when a package is not there, or is not one of the registry with its integrity.
 */
export const neededPackages = (text: string): LockedPackage[] => {
  const { workspaces, packages } = Bun.JSONC.parse(text) as Lock
  const found = new Map<string, LockedPackage>()
  const open = Object.keys(workspaces['']?.dependencies ?? {})
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (found.has(key)) continue
    const locked = lockedPackage(packages, key)
    found.set(key, locked)
    open.push(...locked.needs)
  }
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

const lockedPackage = (packages: Lock['packages'], key: string): LockedPackage => {
  const [spec, , meta, integrity] = packages[key] ?? []
  const [, name, version] = spec?.match(/^(.+)@([^@]+)$/) ?? []
  if (!name || !version || !meta || !integrity?.startsWith('sha512-')) {
    throw new Error(`bun.lock does not say what ${key} is`)
  }
  return { key, name, version, integrity, needs: needsOf(packages, key, meta) }
}

const needsOf = (packages: Lock['packages'], key: string, meta: Meta): string[] => {
  const peers = Object.keys(meta.peerDependencies ?? {}).filter((name) => !meta.optionalPeers?.includes(name))
  const names = Object.keys({ ...meta.dependencies, ...meta.optionalDependencies })
  return [...new Set([...names, ...peers])].map((name) => installedFor(packages, key, name))
}

/** The key of `name` as a module in the folder of `key` finds it: in its own folder, or in one further up. */
const installedFor = (packages: Lock['packages'], key: string, name: string): string => {
  for (let above = key; above !== ''; above = above.replace(/(^|\/)(@[^/]+\/)?[^/]+$/, '')) {
    if (packages[`${above}/${name}`]) return `${above}/${name}`
  }
  if (!packages[name]) throw new Error(`bun.lock lacks ${name}, which ${key} needs`)
  return name
}

/** The key of the package whose file this is: `…/node_modules/table/node_modules/ajv/lib/ajv.js` is of `table/ajv`. */
export const keyOfFile = (path: string): string | undefined => {
  const [, ...inside] = path.split('node_modules/')
  const names = inside.map((rest) => rest.match(/^(@[^/]+\/)?[^/]+/)?.[0])
  return names.length > 0 ? names.join('/') : undefined
}

/** The folder, below that of the project, in which the package of a key is installed. */
export const folderOf = (key: string): string =>
  (key.match(/(@[^/]+\/)?[^/]+/g) ?? []).map((name) => `node_modules/${name}`).join('/')
