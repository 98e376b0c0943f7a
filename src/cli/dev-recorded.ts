import { join } from 'node:path'
import { EMBEDDED } from '../config/kinds.ts'
import type { Settings } from '../config.ts'
import { createArchiveLiteserver } from '../devnet/archive-liteserver.ts'
import { buildChain } from '../devnet/recorded-chain.ts'
import { MASTERCHAIN } from '../ton/block-id.ts'
import { startGateway } from './gateway.ts'
import { recordingAt } from './recording.ts'
import type { CommonParts } from './start-parts.ts'

/** What both networks of `dev` start with. */
export type DevParts = CommonParts & {
  settings: Settings
  print(line: string): void
  /** Ed25519 seed of the network's liteserver. */
  seed: Buffer
  /** An API key without a limit, where the settings give none. */
  apiKey: string
}

/**
 * Starts a recorded network. It has validators' signatures of few blocks, so trust starts at the block where it stands
 * first.
 */
export const startRecorded = async ({ print, seed, apiKey, ...common }: DevParts): Promise<void> => {
  const { settings, logger, tvm, parts } = common
  const archive = buildChain(recordingAt(settings.archive ?? EMBEDDED))
  const head = settings.head ?? (settings.replay === undefined ? archive.last : 1)
  const liteserver = await createArchiveLiteserver({
    archive,
    listen: settings.liteserver,
    key: seed,
    head,
    ...(settings.replay === undefined ? {} : { replayMs: settings.replay }),
    logger,
    tvm,
  })
  parts.add(liteserver.stop)
  const { host, port } = liteserver.address
  const { url, adminUrl } = await startGateway({
    ...common,
    network: 'dev',
    servers: {
      liteservers: [{ host, port, key: liteserver.publicKey }],
      zeroState: archive.zerostate(MASTERCHAIN)!.id,
      initBlock: archive.masterchain(head)!.id,
    },
    freeKey: apiKey,
    index: { home: join(settings.data, 'recorded'), replaceable: true, moves: false },
  })
  print(`liteserver ${host}:${port} ${liteserver.publicKey.toString('base64')}`)
  print(`api key ${settings.api_key === undefined ? apiKey : 'as configured'}`)
  if (adminUrl !== undefined) print(`admin ${adminUrl}`)
  print(`listening on ${url}`)
}
