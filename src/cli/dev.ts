import { hash, randomBytes } from 'node:crypto'
import { EMBEDDED } from '../config/kinds.ts'
import type { Settings } from '../config.ts'
import { createArchiveLiteserver } from '../devnet/archive-liteserver.ts'
import { buildChain } from '../devnet/recorded-chain.ts'
import { MASTERCHAIN } from '../ton/block-id.ts'
import { startGateway } from './gateway.ts'
import { recordingAt } from './recording.ts'
import { type SpawnWorkers, startParts } from './start-parts.ts'

/**
 * The seed of the dev liteserver's key. It is the same at every start, so that clients that were told the key find the
 * server again; what it gives out is no secret.
 */
const LITESERVER_SEED = hash('sha256', 'tonlith dev liteserver', 'buffer')

/**
 * Runs a recorded network: its liteserver, and the gateway that reads it over TCP as it would read any other. Gives what
 * ends both. A recording has validators' signatures of few blocks, so trust starts at the block where it stands first.
 * @throws TonlithError when it cannot start; nothing runs then
 */
export const dev = (
  settings: Settings,
  print: (line: string) => void,
  spawn: SpawnWorkers,
): Promise<() => Promise<void>> =>
  startParts(settings, spawn, async (common) => {
    const archive = buildChain(recordingAt(settings.archive ?? EMBEDDED))
    const head = settings.head ?? (settings.replay === undefined ? archive.last : 1)
    const liteserver = await createArchiveLiteserver({
      archive,
      listen: settings.liteserver,
      key: LITESERVER_SEED,
      head,
      ...(settings.replay === undefined ? {} : { replayMs: settings.replay }),
      logger: common.logger,
      tvm: common.tvm,
    })
    common.parts.add(liteserver.stop)
    const { host, port } = liteserver.address
    const apiKey = settings.api_key ?? randomBytes(18).toString('base64url')
    const url = await startGateway({
      ...common,
      settings,
      network: 'dev',
      servers: {
        liteservers: [{ host, port, key: liteserver.publicKey }],
        zeroState: archive.zerostate(MASTERCHAIN)!.id,
        initBlock: archive.masterchain(head)!.id,
      },
      freeKey: apiKey,
      recorded: true,
    })
    print(`liteserver ${host}:${port} ${liteserver.publicKey.toString('base64')}`)
    print(`api key ${apiKey}`)
    print(`listening on ${url}`)
  })
