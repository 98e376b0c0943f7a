import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { configParam, configParams, loadConfigParams } from '../../src/ton/tlb/config-params.ts'
import { parseGlobalVersion } from '../../src/ton/tlb/global-version.ts'
import { parseCell } from '../../src/ton/tlb/tag.ts'
import { type Counts, countsText } from '../support/counts.ts'
import { walkConfig } from '../support/walk-config.ts'

const data = process.env['TONLITH_CHAIN_DATA']

interface Indexed {
  file: string
  root_hash: string
  param_ids: string
  global_version: number
}

/** The files hold either TL-B ConfigParams or only the dictionary. */
const dictionaryIn = (root: Cell): Cell => (root.bits === 256 ? parseCell(root, loadConfigParams).config : root)

test('every configuration has the parameters that the index says, and all that have a parser parse', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no configurations of public networks are read')
  const index = JSON.parse(readFileSync(join(data, 'config/index.json'), 'utf8')) as Indexed[]
  const counts: Counts = new Map()
  for (const { file, param_ids, global_version } of index.filter((entry) => entry.file.endsWith('.boc'))) {
    if (file.startsWith('(')) continue
    const config = dictionaryIn(parseBocRoot(readFileSync(join(data, 'config', file))))
    walkConfig(config, counts)
    const ids = Array.from(configParams(config), ([id]) => id).toSorted((a, b) => a - b)
    const version = configParam(config, 8)
    expect({ file, param_ids: ids.join(','), version: version && parseGlobalVersion(version).version }).toEqual({
      file,
      param_ids,
      version: global_version,
    })
  }
  console.log(`configurations: ${countsText(counts)}`)
})
