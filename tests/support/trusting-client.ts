import { createIndexPool, type IndexPool } from '../../src/cli/index-pool.ts'
import { systemClock } from '../../src/common/clock.ts'
import { silentLogger } from '../../src/common/logger.ts'
import type { Endpoint } from '../../src/liteserver/connection.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'

/** Our own client on one liteserver, which trusts nothing but a zerostate: every head is proved to it by signatures. */
export const startTrustingClient = (liteserver: Endpoint, zeroState: BlockIdExt): IndexPool =>
  createIndexPool(
    { servers: { liteservers: [liteserver], zeroState, initBlock: zeroState }, trust: 'full', timeoutMs: 10_000 },
    { load: () => null },
    systemClock,
    silentLogger,
  )
