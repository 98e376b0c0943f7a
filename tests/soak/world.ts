import { join } from 'node:path'
import { TonClient } from '@ton/ton'
import { getMasterchainInfo } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { SHARD_ALL } from '../../src/ton/block-id.ts'
import { copyExecutable } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { type LiveWallet, printedWallets } from '../support/live-wallet.ts'
import { connectQuery } from '../support/query-client.ts'
import { createShiftedClock } from './clock-shift.ts'
import type { FaultName } from './faults.ts'
import { startFaultyServer } from './faulty-server.ts'
import { freePort } from './free-port.ts'
import type { Targets } from './inject.ts'
import { type Ledger, startLedger } from './ledger.ts'
import { type Machine, watchMachine } from './machine.ts'
import { createServed } from './served.ts'
import { createSmallDisk } from './small-disk.ts'
import type { Truth } from './truth.ts'

/** A network, what is known of it without anything between, and the gateway behind faulty liteservers. */
export interface World {
  network: LiveNetwork
  query: Query
  client: TonClient
  ledger: Ledger
  truth: Truth
  wallets: LiveWallet[]
  /** Address of a jetton's master. */
  jetton: string
  machine: Machine
  targets: Targets
  /** Faults that cannot be made here, and why. */
  leftOut: Partial<Record<FaultName, string>>
}

export interface WorldOptions {
  servers: number
  requestMs: number
  minutes: number
  /** Further flags of the gateway. */
  flags: readonly string[]
  /** Takes what is to be done in the end, in the opposite order. */
  onEnd: (end: () => unknown) => void
}

const DISK_MIB = 400
const DISK_MIB_A_MINUTE = 40
/** The network's own gateway may hear of a block later than the one that is tried. */
const REFERENCE_TRIES = 20
const REFERENCE_MS = 500

/** The result of a call of API v2 at the network's own gateway. */
const referenceOf =
  (url: string): Truth['reference'] =>
  async (path, body) => {
    const init: RequestInit = {
      ...(body !== undefined && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    }
    for (let tries = 1; ; tries++) {
      const response = await fetch(url + path, init)
      const text = await response.text()
      if (response.ok) return (JSON.parse(text) as { result: unknown }).result
      if (tries === REFERENCE_TRIES) throw new Error(`the network itself answers ${response.status} ${text}`)
      await Bun.sleep(REFERENCE_MS)
    }
  }

/** Starts all of it but the gateway's process. */
export const buildWorld = async ({
  servers: count,
  requestMs,
  minutes,
  flags,
  onEnd,
}: WorldOptions): Promise<World> => {
  const leftOut: World['leftOut'] = {}
  const alone = await copyExecutable()
  onEnd(alone.remove)
  const network = await startLiveNetwork(alone, 'net')
  onEnd(() => network.end('SIGKILL'))
  const machine = watchMachine(() => network.get('/api/v2/getMasterchainInfo'))
  onEnd(machine.stop)
  const { connection, query } = await connectQuery(network.liteserver)
  onEnd(connection.close)
  const { init } = await getMasterchainInfo(query)
  const ledger = startLedger(query)
  onEnd(ledger.stop)
  const status = await network.status()

  const servers = await Promise.all(Array.from({ length: count }, () => startFaultyServer(network.liteserver)))
  for (const { stop } of servers) onEnd(stop)
  const disk = createSmallDisk(join(alone.folder, 'disk'), DISK_MIB + Math.ceil(minutes * DISK_MIB_A_MINUTE))
  if (typeof disk === 'string') leftOut['disk full'] = disk
  else onEnd(disk.remove)
  const clock = createShiftedClock(alone.folder)
  if (typeof clock === 'string') for (const fault of ['clock ahead', 'clock back'] as const) leftOut[fault] = clock
  const served = createServed({
    alone,
    data: join(typeof disk === 'string' ? alone.folder : disk.folder, 'data'),
    servers: servers.map(({ endpoint }) => endpoint),
    direct: network.liteserver,
    zeroState: { ...init, shard: SHARD_ALL, seqno: 0 },
    port: await freePort(),
    requestMs,
    env: typeof clock === 'string' ? {} : clock.env,
    flags,
  })
  onEnd(() => served.end('SIGKILL'))

  return {
    network,
    query,
    client: new TonClient({ endpoint: network.rpc, timeout: 20_000 }),
    ledger,
    truth: { ledger, reference: referenceOf(network.url) },
    wallets: await printedWallets(status),
    jetton: status.contracts.find(({ name }) => name === 'jetton TUSD')!.address,
    machine,
    targets: {
      servers,
      served,
      disk: typeof disk === 'string' ? undefined : disk,
      clock: typeof clock === 'string' ? undefined : clock,
      advanceChain: async (seconds) => void (await network.call('time', { advance: seconds })),
    },
    leftOut,
  }
}
