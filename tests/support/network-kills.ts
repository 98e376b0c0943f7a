import { getMasterchainInfo, lookupBlock } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock } from '../../src/ton/block-id.ts'
import type { Lonely } from './executable.ts'
import { type LiveNetwork, startLiveNetwork } from './live-network.ts'
import { connectQuery } from './query-client.ts'

/** A network that is killed with SIGKILL again and again, and what was seen of it. */
export interface KilledNetwork {
  /** Starts it anew; it must still have the newest blocks that were seen. Throws for one that is lost or changed. */
  start(): Promise<LiveNetwork>
  /** Kills it `ms` after its start has been ordered, whatever it is doing then. */
  killEarly(ms: number): Promise<void>
  /** Kills it `ms` from now, watching its head until then. */
  kill(network: LiveNetwork, ms: number): Promise<void>
  /** The question to whichever runs now. */
  readonly query: Query
  /** Masterchain blocks that the liteserver told of, by seqno. */
  readonly seen: ReadonlyMap<number, BlockIdExt>
}

/** Blocks that are looked at again after each start; nothing else was being written when it was killed. */
const NEWEST = 30

const masterchain = async (query: Query, seqno: number): Promise<BlockIdExt> =>
  (await lookupBlock(query, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno })).id

/** A network in a data folder of its own, started with these flags each time. */
export const createKilledNetwork = (alone: Lonely, data: string, ...flags: string[]): KilledNetwork => {
  const seen = new Map<number, BlockIdExt>()
  let ask: Query | undefined
  const query: Query = (method, args, options) => {
    if (!ask) throw new Error('nothing runs')
    return ask(method, args, options)
  }

  const note = (id: BlockIdExt): void => {
    const before = seen.get(id.seqno)
    if (before && !sameBlock(before, id)) throw new Error(`block ${blockIdText(id)} has changed`)
    seen.set(id.seqno, id)
  }

  return {
    query,
    seen,
    async start() {
      const network = await startLiveNetwork(alone, data, ...flags)
      ask = (await connectQuery(network.liteserver)).query
      const { last } = await getMasterchainInfo(query)
      const newest = Math.max(0, ...seen.keys())
      if (last.seqno < newest) throw new Error(`block ${newest} is lost: the chain ends at ${last.seqno}`)
      for (const seqno of [...seen.keys()].slice(-NEWEST)) note(await masterchain(query, seqno))
      return network
    },
    async killEarly(ms) {
      const child = Bun.spawn([alone.executable, 'dev', '--listen', '127.0.0.1:0', '--data', data, ...flags], {
        cwd: alone.folder,
        env: { HOME: alone.folder },
        stdout: 'ignore',
        stderr: 'ignore',
      })
      await Bun.sleep(ms)
      child.kill('SIGKILL')
      await child.exited
    },
    async kill(network, ms) {
      const { connection, query: watch } = await connectQuery(network.liteserver)
      const timer = setTimeout(() => network.signal('SIGKILL'), ms)
      try {
        for (;;) note((await getMasterchainInfo(watch)).last)
      } catch (error) {
        if (error instanceof Error && error.message.endsWith('has changed')) throw error
      } finally {
        clearTimeout(timer)
        connection.close()
        await network.end('SIGKILL')
      }
    },
  }
}
