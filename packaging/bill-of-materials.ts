import type { Component } from './inventory.ts'
import type { Work } from './licences.ts'

/**
 * A bill of materials (CycloneDX 1.6, JSON): each package with its version, licence and the hash of its packed file, the works within, and who
 * needs whom. `scope` is `required` for what is in the executable and `excluded` for what is not.
 * tonlith itself needs what no other package needs. It has no serial number and no time, so that the same parts give the same bytes.
 */
export const billOfMaterials = (version: string, components: readonly Component[]): string => {
  const refs = new Map(components.map((one) => [one.key, purl(one)]))
  const refsOf = (keys: readonly string[]) => [...new Set(keys.flatMap((key) => refs.get(key) ?? []))].sort()
  const needed = new Set(components.flatMap(({ needs }) => needs))
  const direct = components.map(({ key }) => key).filter((key) => !needed.has(key))
  const root = `pkg:generic/tonlith@${version}`
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': root, name: 'tonlith', version, ...licences('MIT'), purl: root },
    },
    components: components.map(entry),
    dependencies: [
      { ref: root, dependsOn: refsOf(direct) },
      ...components.map((one) => ({ ref: purl(one), dependsOn: refsOf(one.needs) })),
    ],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** Package URL of an npm package; two copies of one are told apart by where they are installed. */
const purl = ({ key, name, version }: Component): string => {
  const url = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return key === name ? url : `${url}#${key.slice(0, -name.length - 1)}`
}

const entry = (one: Component) => ({
  type: 'library',
  'bom-ref': purl(one),
  name: one.name,
  version: one.version,
  scope: one.inside ? 'required' : 'excluded',
  ...(one.integrity ? hashes(one.integrity) : {}),
  ...(one.licence ? licences(one.licence) : {}),
  purl: purl(one).replace(/#.*/, ''),
  ...(one.works.length > 0 ? { components: one.works.map((work) => workEntry(work, purl(one))) } : {}),
})

const workEntry = (work: Work, within: string) => ({
  type: 'library',
  'bom-ref': `${within}#${work.name}`,
  name: work.name,
  ...licences(work.licence),
})

const hashes = (integrity: string) => ({
  hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
})

const licences = (id: string) => ({ licenses: [{ license: { id } }] })
