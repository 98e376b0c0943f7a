import { stringifyJson } from '../common/lossless-json.ts'
import { type BlockIdExt, SHARD_ALL } from '../ton/block-id.ts'
import type { Endpoint } from './connection.ts'
import type { GlobalConfig } from './global-config.ts'

/** A program that listens everywhere is reached from this machine there. */
const LOOPBACK = '127.0.0.1'
const OF_THIS_MACHINE: readonly string[] = ['0.0.0.0', 'localhost']

const serverJson = ({ host, port, key }: Endpoint) => {
  const reached = OF_THIS_MACHINE.includes(host) ? LOOPBACK : host
  const parts = reached.split('.').map(Number)
  const dotted = parts.length === 4 && parts.every((part) => part >= 0 && part <= 255)
  return {
    ...(dotted ? { ip: Buffer.from(parts).readInt32BE() } : { host: reached }),
    port,
    id: { '@type': 'pub.ed25519', key: key.toString('base64') },
  }
}

const blockJson = ({ workchain, seqno, root_hash, file_hash }: BlockIdExt) => ({
  workchain,
  shard: BigInt.asIntN(64, SHARD_ALL),
  seqno,
  root_hash: root_hash.toString('base64'),
  file_hash: file_hash.toString('base64'),
})

/**
 * Writes a global config, the JSON file that every TON client starts from (`parseGlobalConfig` reads it): addresses as signed
 * numbers of 32 bits, hosts that have none by their name.
 */
export const globalConfigText = ({ liteservers, zeroState, initBlock }: GlobalConfig): string =>
  stringifyJson({
    '@type': 'config.global',
    liteservers: liteservers.map(serverJson),
    validator: {
      '@type': 'validator.config.global',
      zero_state: blockJson(zeroState),
      init_block: blockJson(initBlock),
    },
  })
