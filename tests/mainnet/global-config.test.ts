import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadGlobalConfig } from '../../src/liteserver/global-config.ts'
import { knownNetwork } from '../../src/liteserver/known-networks.ts'

const data = process.env['TONLITH_CHAIN_DATA']

test('every published global config is read, and belongs to a network that is built in', async () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no published global config is read')
  const folder = join(data, 'global-config')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    const config = await loadGlobalConfig(join(folder, file))
    expect(config.liteservers.length).toBeGreaterThan(0)
    const known = knownNetwork(file.startsWith('testnet') ? 'testnet' : 'mainnet')
    expect(config.zeroState).toEqual(known.zeroState)
    expect(config.initBlock.seqno).toBeLessThanOrEqual(known.initBlock.seqno)
  }
})
