import { TonlithError } from '../../src/common/errors.ts'
import type { DevControl, DevStatus } from '../../src/devnet/control.ts'

export const DEV_STATUS: DevStatus = {
  seqno: 12,
  utime: 1_900_000_000,
  now: 1_900_000_001,
  real_time: true,
  block_interval: 400,
  shards: [{ workchain: 0, shard: '8000000000000000', seqno: 7 }],
  pending: 3,
  accounts: {
    faucet: `0:${'11'.repeat(32)}`,
    wallets: [{ version: 'v5r1', address: `0:${'22'.repeat(32)}`, mnemonic: 'these are <not> "words"' }],
    contracts: [{ name: 'jetton TUSD', address: `-1:${'33'.repeat(32)}` }],
  },
  snapshots: ['first'],
}

/** A control that notes what it is called for; what is handed in takes its place. */
export const fakeControl = (own: Partial<DevControl> = {}): { control: DevControl; calls: unknown[][] } => {
  const calls: unknown[][] = []
  const head = { seqno: 13, utime: 1_900_000_002 }
  const noted =
    <A extends unknown[], R>(name: string, answer: R) =>
    async (...args: A): Promise<R> => {
      calls.push([name, ...args])
      return answer
    }
  const payment = { message_hash: 'aa'.repeat(32), transaction_hash: 'bb'.repeat(32), lt: 2n ** 60n + 1n, mc_seqno: 13 }
  return {
    calls,
    control: {
      status: async () => DEV_STATUS,
      faucet: noted('faucet', payment),
      mine: noted('mine', head),
      setTime: noted('setTime', { now: 1_900_003_600 }),
      resplit: noted('resplit', head),
      setConfig: noted('setConfig', head),
      arrive: noted('arrive', head),
      load: noted('load', { ...head, accounts: 2, present: [`0:${'52'.repeat(32)}`] }),
      snapshot: noted('snapshot', head),
      restore: async () => {
        throw new TonlithError('notFound', 'there is no snapshot')
      },
      ...own,
    },
  }
}
