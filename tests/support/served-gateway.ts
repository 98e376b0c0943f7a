import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '../../src/liteserver/connection.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { type Lonely, type Running, startExecutable } from './executable.ts'
import { recordedChain } from './recorded-chain.ts'

const hashes = ({ root_hash, file_hash }: BlockIdExt) => ({
  root_hash: root_hash.toString('base64'),
  file_hash: file_hash.toString('base64'),
})

/** The text of a global config with these liteservers, for the recorded network unless another one's zero state is given. */
export const globalConfigOf = (
  servers: readonly Endpoint[],
  zeroState: BlockIdExt = recordedChain().zerostate(-1)!.id,
): string =>
  JSON.stringify({
    liteservers: servers.map(({ host, port, key }) => ({
      ip: Buffer.from(host.split('.').map(Number)).readInt32BE(),
      port,
      id: { '@type': 'pub.ed25519', key: key.toString('base64') },
    })),
    validator: {
      zero_state: {
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 0,
        ...hashes(zeroState),
      },
    },
  })

/** `tonlith serve` on these liteservers, as it would serve any network, without a limit of requests. */
export const startServed = async (
  alone: Lonely,
  name: string,
  servers: readonly Endpoint[],
  ...flags: string[]
): Promise<Running> => {
  writeFileSync(join(alone.folder, `${name}.json`), globalConfigOf(servers))
  const base = ['--listen', '127.0.0.1:0', '--global-config', `${name}.json`, '--data', name, '--keyless-rps', '0']
  return await startExecutable(alone, ['serve', ...base, ...flags])
}
