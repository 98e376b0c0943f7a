import { join } from 'node:path'
import { GLOBAL_CONFIG } from '../api/dev/routes.ts'
import { TonlithError } from '../common/errors.ts'
import type { Settings } from '../config.ts'
import type { DevAccounts, DevHead } from '../devnet/control.ts'
import { friendlyAddress, tryParseAddress } from '../ton/address.ts'
import { arrivals } from './arrivals.ts'
import { startDevHost } from './dev-host.ts'
import type { ForkOrder, SpawnDevWorker } from './dev-messages.ts'
import type { DevParts } from './dev-recorded.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { networkOf } from './index-messages.ts'
import { paymentsIn, undoAllPayments, undoPaymentsBehind } from './undo-payments.ts'

/** Chain, index and snapshots of the live network, in the data folder. */
const HOME = 'dev'

const forkOrder = (source: string, { fork_block, trust, data }: Settings): ForkOrder => ({
  source,
  block: fork_block,
  trust,
  trustFolder: data,
})

/** Ends the program with one line. */
const died = (error: TonlithError): void => {
  queueMicrotask(() => {
    throw error
  })
}

const shown = (raw: string, bounceable: boolean): string =>
  friendlyAddress(tryParseAddress(raw)!, { bounceable, testOnly: false })

const accountLines = ({ faucet, wallets, contracts }: DevAccounts): string[] => [
  `faucet ${shown(faucet, true)}`,
  ...contracts.map(({ name, address }) => `${name} ${shown(address, true)}`),
  ...wallets.map(({ version, address, mnemonic }) => `wallet ${version} ${shown(address, false)} ${mnemonic}`),
]

/**
 * Starts a live network: its Worker with the chain, what makes blocks and the liteserver, and the gateway that reads it.
 * A Worker that ends by itself ends the program, as nothing is lost by that.
 */
export const startLive = async (options: DevParts & { spawnDev: SpawnDevWorker }): Promise<void> => {
  const { print, seed, apiKey, spawnDev, ...common } = options
  const { settings, tvm, parts, logger } = common
  const home = join(settings.data, HOME)
  const host = await startDevHost({
    spawn: spawnDev,
    order: {
      folder: home,
      listen: settings.liteserver,
      seed,
      fresh: settings.fresh,
      shards: settings.shards,
      blockInterval: settings.block_interval,
      resplitEvery: settings.resplit_every,
      time: settings.time,
      load: settings.load,
      fork: settings.fork === undefined ? undefined : forkOrder(settings.fork, settings),
      logLevel: settings.log_level,
      log: settings.log,
    },
    tvm,
    died,
  })
  parts.add(host.stop)
  const undone = settings.fresh ? await undoAllPayments(settings.data) : 0
  if (undone > 0) logger.info({ payments: undone }, 'payments of the network before were taken back')
  const { liteserver, zeroState, accounts } = host.started
  let gateway: Gateway | undefined
  let restoring = false
  /** All that was read of the network is forgotten with it: the index, and the payments that it found behind the snapshot. */
  const restore = async (name: string): Promise<DevHead> => {
    const { snapshots, seqno, utime } = await host.control.status()
    if (!snapshots.includes(name)) throw new TonlithError('notFound', `there is no snapshot ${name}`)
    if (restoring || !gateway) throw new TonlithError('conflict', 'a snapshot is being restored')
    restoring = true
    let head: DevHead = { seqno, utime }
    try {
      await gateway.renew(async () => {
        const noted = await paymentsIn(home, networkOf(zeroState), logger)
        head = await host.control.restore(name)
        const undone = await undoPaymentsBehind(settings.data, head.seqno, noted)
        if (undone > 0) logger.info({ payments: undone }, 'payments behind the snapshot were taken back')
      })
    } finally {
      restoring = false
    }
    return head
  }
  gateway = await startGateway({
    ...common,
    network: 'dev',
    servers: { liteservers: [{ ...liteserver, key: Buffer.from(liteserver.key) }], zeroState, initBlock: zeroState },
    freeKey: apiKey,
    index: { home, replaceable: true, moves: settings.block_interval !== 'manual' },
    dev: { ...host.control, restore },
    halted: host.halted,
    arrive: settings.fork === undefined ? undefined : arrivals(host.control),
    onExternal: host.onExternal,
  })
  print(`liteserver ${liteserver.host}:${liteserver.port} ${Buffer.from(liteserver.key).toString('base64')}`)
  print(`api key ${settings.api_key === undefined ? apiKey : 'as configured'}`)
  for (const line of accountLines(accounts)) print(line)
  print(`docs ${gateway.url}/docs`)
  print(`page ${gateway.url}/dev`)
  print(`global config ${gateway.url}${GLOBAL_CONFIG}`)
  if (gateway.adminUrl !== undefined) print(`admin ${gateway.adminUrl}`)
  print(`listening on ${gateway.url}`)
}
