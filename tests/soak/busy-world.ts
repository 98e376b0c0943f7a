import { untilReady } from '../support/ready.ts'
import type { Caller } from './caller.ts'
import { startHurry } from './hurry.ts'
import { startReaders } from './load.ts'
import { createShop, type Shop } from './payments.ts'
import { rawOf, startSender, startTraffic } from './traffic.ts'
import type { Verdicts } from './verdicts.ts'
import type { World } from './world.ts'

/** All who are at work while faults are made. */
export interface BusyWorld {
  shops: readonly Shop[]
  /** Accounts that have transactions all the time. */
  accounts: readonly string[]
  /** Messages of wallets that went through the gateway. */
  sent(): number
  /** Ends what makes transactions, then waits for what merchants are still to be told, then ends the readers. */
  rest(patienceMs: number): Promise<void>
}

export interface BusyOptions {
  seed: number
  random: () => number
  caller: Caller
  onEnd: (end: () => unknown) => void
}

const READERS = 3
const READER_PAUSE_MS = 120
const SMALL_PER_SECOND = 100
const TRAFFIC_PAUSE_MS = 500
const SHOP_PAUSE_MS = 1_200
const LOOK_MS = 100

/** Starts the gateway, with merchants, and then all of them. */
export const startWork = async (
  { network, query, client, ledger, truth, wallets, jetton, targets: { served } }: World,
  { broken, fail }: Verdicts,
  { seed, random, caller, onEnd }: BusyOptions,
): Promise<BusyWorld> => {
  const [payers, rich, senderWallets, recipients] = [wallets.slice(0, 2), wallets[2]!, [3, 5], wallets.slice(7, 9)]
  const stands = await Promise.all(
    payers.map((payer, i) =>
      createShop({
        name: `shop-${i}`,
        served,
        caller,
        client,
        payer,
        recipient: recipients[i]!,
        jetton,
        flaky: i === 1,
        pauseMs: SHOP_PAUSE_MS,
        broken: broken(`shop ${i}`),
      }),
    ),
  )
  for (const { receiver } of stands) onEnd(() => receiver.stop())
  await served.start()
  await untilReady(served.url)
  await untilReady(network.url)

  const name = `soak ${seed}`
  const traffic = await startTraffic({
    client,
    query,
    ledger,
    rich,
    name,
    pauseMs: TRAFFIC_PAUSE_MS,
    broken: broken('the traffic'),
  })
  const senders = await Promise.all(
    senderWallets.map((i) =>
      startSender({ caller, client, ledger, wallet: wallets[i]!, fail, broken: broken(`sender ${i}`) }),
    ),
  )
  const shops = stands.map(({ open }) => open())
  const population = {
    accounts: [...traffic.accounts, ...wallets.slice(0, 9).map(({ address }) => rawOf(address))],
    wallets: wallets.slice(0, 6).map(({ address }) => rawOf(address)),
    random,
  }
  const readers = startReaders(READERS, READER_PAUSE_MS, caller, truth, population, broken('a reader'))
  readers.push(startHurry(SMALL_PER_SECOND, caller, population, broken('a reader in a hurry')))
  const makers = [traffic.flow, ...senders.map(({ flow }) => flow), ...shops.map(({ flow }) => flow)]
  for (const { stop } of [...makers, ...readers]) onEnd(stop)

  return {
    shops,
    accounts: traffic.accounts,
    sent: () => senders.reduce((sum, one) => sum + one.sent(), 0),
    rest: async (patienceMs) => {
      await Promise.all(makers.map(({ stop }) => stop()))
      const end = performance.now() + patienceMs
      while (shops.some(({ waiting }) => waiting().length > 0) && performance.now() < end) await Bun.sleep(LOOK_MS)
      await Promise.all(readers.map(({ stop }) => stop()))
    },
  }
}
