import { join } from 'node:path'
import { version } from '../package.json' with { type: 'json' }
import { billOfMaterials } from './bill-of-materials.ts'
import { type Component, licenceText } from './inventory.ts'

/** Writes what goes with executables, beside them: `STEM.cdx.json`, their bill of materials, and `STEM.licences.txt`. */
export const writePapers = async (stem: string, components: readonly Component[]): Promise<void> => {
  const lgpl = await Bun.file(join(import.meta.dir, 'lgpl-2.0.txt')).text()
  await Bun.write(`${stem}.cdx.json`, billOfMaterials(version, components))
  await Bun.write(`${stem}.licences.txt`, licenceText(components, lgpl))
}
