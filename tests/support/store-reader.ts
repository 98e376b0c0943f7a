import { openEnvironment } from '../../src/store/environment.ts'

/**
 * Opens a store of tests for reading, in a process of its own, and tells how many rows of its table `rows` it sees, and what
 * length they have together, each time that it gets a line: `bun store-reader.ts PATH MAPSIZE`.
 */
const [path = '', mapSize = ''] = process.argv.slice(2)
const environment = await openEnvironment({
  path,
  stamp: { store: 'test', version: 2, network: 'mainnet' },
  remedies: { otherNetwork: '', older: '', newer: '', damaged: '' },
  tables: ['rows'],
  readOnly: true,
  mapSize: Number(mapSize),
})
console.log('open')
for await (const _ of console) {
  environment.renew()
  let [rows, bytes] = [0, 0]
  for (const { value } of environment.tables.rows.getRange()) {
    rows++
    bytes += value.length
  }
  console.log(`${rows} ${bytes}`)
}
