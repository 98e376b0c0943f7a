import { join } from 'node:path'
import { licenceOf, mayBeIn, type Work, workMayBeIn, worksWithin } from './licences.ts'
import { folderOf, type LockedPackage, neededPackages } from './lockfile.ts'

/** A package that is in the executable, or is installed to build it. */
export type Component = Omit<LockedPackage, 'integrity'> & {
  /** Where a lock file says it. */
  readonly integrity?: string
  /** Whether any of it is in an executable. */
  readonly inside: boolean
  readonly licence?: string
  readonly works: readonly Work[]
  readonly texts: readonly string[]
}

/**
 * What a project is made of: everything that its `bun.lock` says it needs. `isInside` tells what is in an executable of it, by
 * key; `folders` are the projects in whose `node_modules` packages are looked for.
 * Throws when something in the executable has a licence that is not allowed, or none, or is not in `bun.lock`.
 */
export const inventory = (lockText: string, isInside: ReadonlySet<string>, folders: readonly string[]): Component[] => {
  const needed = neededPackages(lockText)
  const known = new Set(needed.map(({ key }) => key))
  const strangers = [...isInside].filter((key) => !known.has(key))
  if (strangers.length > 0) throw new Error(`not among the dependencies in bun.lock: ${strangers.join(', ')}`)
  const components = needed.map((locked) => component(locked, isInside.has(locked.key), folders))
  const refused = components.filter((one) => one.inside && !(mayBeIn(one.licence) && one.works.every(workMayBeIn)))
  if (refused.length > 0) {
    const which = refused.map(({ name, licence }) => `${name} (${licence ?? 'none'})`)
    throw new Error(`licences that are not allowed in packaging/licences.ts: ${which.join(', ')}`)
  }
  return components
}

const component = (locked: LockedPackage, inside: boolean, folders: readonly string[]): Component => {
  const found = folders.map((folder) => licenceOf(join(folder, folderOf(locked.key))))
  return {
    ...locked,
    inside,
    works: worksWithin(locked.name),
    ...(found.find(({ licence }) => licence) ?? { texts: [] }),
  }
}

/** The Bun that a build for this machine takes along: no lock file says which one that is. */
export const bunItself = (version: string): Component => ({
  key: 'bun',
  name: 'bun',
  version,
  needs: [],
  inside: true,
  licence: 'MIT',
  works: worksWithin('bun'),
  texts: [],
})

const RULE = '-'.repeat(100)

/** The licences of everything that is in the executable, as a text to go with it. `lgpl` is the text of that licence. */
export const licenceText = (components: readonly Component[], lgpl: string): string => {
  const inside = components.filter((one) => one.inside)
  const chapters = inside.map(({ name, version, licence, works, texts }) =>
    [
      `${name} ${version}: ${licence}`,
      ...works.map((work) => `with ${work.name}: ${work.licence}`),
      ...texts.map((text) => `\n${text}`),
    ].join('\n'),
  )
  return `${['What is in the executable of tonlith beside its own code.', ...chapters, lgpl.trim()].join(`\n\n${RULE}\n\n`)}\n`
}
