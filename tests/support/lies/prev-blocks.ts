import type { Query } from '../../../src/liteserver/query.ts'
import type { LiteAnswer } from '../../../src/ton/tl/lite-api.ts'
import type { Arguments } from '../../../src/ton/tl/types.ts'
import type { Lie } from '../lying-liteserver.ts'
import { neighbour } from './pieces.ts'

type Params = LiteAnswer<'liteServer.getConfigParams'>
type Args = Arguments<'liteServer.getConfigParams'>

const lie = (name: string, tell: (honest: Params, args: Args, ask: Query) => Params | Promise<Params>): Lie => ({
  name,
  fate: 'refused',
  tells: { 'liteServer.getConfigParams': tell },
})

/** Before the newest key block of the recording. */
const STEPS = -300

const older = (args: Args, ask: Query): Promise<Params> =>
  ask('liteServer.getConfigParams', { ...args, id: neighbour(args.id, STEPS) })

/** Lies about what contracts see of the chain behind them. */
export const LIES_ABOUT_PREV_BLOCKS: readonly Lie[] = [
  lie('the blocks before an older block', (_, args, ask) => older(args, ask)),
  lie('the blocks before an older block under the name of the asked one', async (_, args, ask) => ({
    ...(await older(args, ask)),
    id: args.id,
  })),
  lie('the blocks before an older block behind the proof of the asked one', async (honest, args, ask) => ({
    ...honest,
    config_proof: (await older(args, ask)).config_proof,
  })),
  lie('no earlier blocks', (_, args, ask) => ask('liteServer.getConfigParams', { ...args, mode: 0 })),
]
