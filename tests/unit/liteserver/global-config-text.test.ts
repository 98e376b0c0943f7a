import { expect, test } from 'bun:test'
import { parseGlobalConfig } from '../../../src/liteserver/global-config.ts'
import { globalConfigText } from '../../../src/liteserver/global-config-text.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../src/ton/block-id.ts'

const key = Buffer.from('11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', 'base64')
const block = (seqno: number) => ({
  workchain: MASTERCHAIN,
  shard: SHARD_ALL,
  seqno,
  root_hash: Buffer.alloc(32, seqno),
  file_hash: Buffer.alloc(32, 9),
})
const configOf = (...hosts: string[]) => ({
  liteservers: hosts.map((host, i) => ({ host, port: 40_000 + i, key })),
  zeroState: block(0),
  initBlock: block(7),
})

test('a global config is read again as it was', () => {
  const config = configOf('127.0.0.1', '255.1.2.3', '::1', 'server.internal')
  expect(parseGlobalConfig(globalConfigText(config))).toEqual(config)
})

test('it has the forms that other clients read', () => {
  const text = globalConfigText(configOf('192.168.0.1'))
  expect(text).toContain('"shard":-9223372036854775808,')
  expect(JSON.parse(text)).toMatchObject({
    liteservers: [{ ip: -1062731775, port: 40_000, id: { '@type': 'pub.ed25519', key: key.toString('base64') } }],
    validator: { zero_state: { workchain: -1, seqno: 0 }, init_block: { seqno: 7 } },
  })
})

test('who listens everywhere is reached on this machine', () => {
  expect(parseGlobalConfig(globalConfigText(configOf('0.0.0.0', 'localhost'))).liteservers).toMatchObject([
    { host: '127.0.0.1' },
    { host: '127.0.0.1' },
  ])
})
