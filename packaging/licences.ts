import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences (SPDX) under which a part of the executable may be: they ask for being named, and for no more. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OLDAP-2.8',
  'Unlicense',
])

/** A work that a package brings along under a licence of its own. */
export type Work = { readonly name: string; readonly licence: string }

const EMULATOR: Work = { name: "TON's emulator of the TVM and of transactions", licence: 'LGPL-2.0-or-later' }
const JAVASCRIPT_CORE: Work = { name: 'JavaScriptCore of WebKit', licence: 'LGPL-2.0-or-later' }

/** What packages have inside that their own `license` does not tell of. */
const WORKS: readonly (readonly [RegExp, readonly Work[]])[] = [
  [/^@ton\/sandbox$/, [EMULATOR]],
  [
    /^@lmdb\//,
    [
      { name: 'LMDB', licence: 'OLDAP-2.8' },
      { name: 'LZ4', licence: 'BSD-2-Clause' },
    ],
  ],
  [/^(@oven\/bun-.*|bun)$/, [JAVASCRIPT_CORE]],
]

/** Works under a licence that asks for more than being named: their text comes along, and each can be replaced by
 * building anew, as all other parts are free as well. */
const BY_NAME = new Set([EMULATOR, JAVASCRIPT_CORE])

/** The works that the package of this name brings along. */
export const worksWithin = (name: string): readonly Work[] => WORKS.find(([pattern]) => pattern.test(name))?.[1] ?? []

export const mayBeIn = (licence: string | undefined): boolean => licence !== undefined && ALLOWED.has(licence)
export const workMayBeIn = (work: Work): boolean => BY_NAME.has(work) || mayBeIn(work.licence)

/** What the installed package in `folder` says of itself: its licence (SPDX), and the texts that must go with it. */
export const licenceOf = (folder: string): { licence?: string; texts: string[] } => {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) return { texts: [] }
  const { license } = JSON.parse(readFileSync(manifest, 'utf8')) as { license?: string }
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
  return { ...(license ? { licence: license } : {}), texts }
}
