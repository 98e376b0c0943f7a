import { NO_BLOCK } from '../../../src/devnet/load.ts'
import { bag, prove } from '../../../src/devnet/proofs.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { sameBlock } from '../../../src/ton/block-id.ts'
import { parseBoc, parseBocRoot } from '../../../src/ton/boc.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { ORDINARY } from '../../../src/ton/cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import type { LiteAnswer } from '../../../src/ton/tl/lite-api.ts'
import type { Arguments } from '../../../src/ton/tl/types.ts'
import { parseAccount } from '../../../src/ton/tlb/account.ts'
import type { Fate, Lie, Told } from '../lying-liteserver.ts'
import { flipped, neighbour } from './pieces.ts'

type State = LiteAnswer<'liteServer.getAccountState'>
type Args = Arguments<'liteServer.getAccountState'>

const lie = (name: string, fate: Fate, tell: (honest: State, args: Args, ask: Query) => Told | Promise<Told>): Lie => ({
  name,
  fate,
  tells: { 'liteServer.getAccountState': tell, 'liteServer.getAccountStatePrunned': tell },
})

const asked = (ask: Query, args: Args): Promise<State> => ask('liteServer.getAccountState', args)

/** The account's cell with the last bits of its first cell flipped, where the balance and the kind of state stand. */
const damaged = (state: Buffer, bit: number): Buffer => {
  const root = parseBocRoot(state)
  if (root.type !== ORDINARY) return flipped(state, state.length * 4)
  const slice = beginParse(root)
  const before = slice.bits(root.bits - bit - 1)
  return bag(beginCell().bits(before).bit(!slice.bit()).slice(slice).endCell())
}

/** The account with its code and data left out, as getAccountStatePrunned gives it. */
const withoutContract = (state: Buffer): Buffer => {
  return bag(prove(parseBocRoot(state), parseAccount).proof)
}

/** The other half of the network has the account, if it has one. */
const otherAccount = (id: Buffer): Buffer => flipped(id, 255)

export const LIES_ABOUT_ACCOUNTS: readonly Lie[] = [
  lie('there is no such account', 'refused', (honest) =>
    honest.state.length > 0 ? { ...honest, state: Buffer.alloc(0) } : undefined,
  ),
  lie('no shard holds the account', 'refused', (honest) =>
    sameBlock(honest.shardblk, NO_BLOCK)
      ? undefined
      : { ...honest, shardblk: NO_BLOCK, proof: Buffer.alloc(0), state: Buffer.alloc(0) },
  ),
  ...[0, 6, 20].map((bit) =>
    lie(`the state changed ${bit} bits before its end`, 'refused', (honest) =>
      honest.state.length > 0 ? { ...honest, state: damaged(honest.state, bit) } : undefined,
    ),
  ),
  lie("another account's state", 'refused', async (honest, { id, account }, ask) => {
    const { state } = await asked(ask, { id, account: { workchain: -1, id: Buffer.alloc(32, 0x55) } })
    return account.workchain === -1 && account.id[0] === 0x55 ? undefined : { ...honest, state }
  }),
  lie("another account's state and proofs", 'refused', async (_, { id, account }, ask) => {
    const other = account.id[0] === 0x33 ? Buffer.alloc(32, 0x55) : Buffer.alloc(32, 0x33)
    return await asked(ask, { id, account: { workchain: -1, id: other } })
  }),
  lie('the proof that a neighbour does not exist', 'either', async (_, { id, account }, ask) =>
    asked(ask, { id, account: { ...account, id: otherAccount(account.id) } }),
  ),
  ...[-1, -40].flatMap((steps) => [
    lie(`the state ${-steps} blocks ago`, 'refused', (_, args, ask) =>
      asked(ask, { ...args, id: neighbour(args.id, steps) }),
    ),
    lie(`the state ${-steps} blocks ago under the name of the asked block`, 'refused', async (honest, args, ask) => {
      const old = await asked(ask, { ...args, id: neighbour(args.id, steps) })
      return { ...old, id: honest.id, shardblk: honest.shardblk }
    }),
    lie(
      `the old state of ${-steps} blocks ago with the proof of its shard alone`,
      'refused',
      async (honest, args, ask) => {
        const old = await asked(ask, { ...args, id: neighbour(args.id, steps) })
        return old.proof.equals(honest.proof) ? undefined : { ...honest, proof: old.proof, state: old.state }
      },
    ),
  ]),
  lie('the proof of the block, without the proof of its state', 'refused', (honest) =>
    honest.proof.length > 0 ? { ...honest, proof: bag(parseBoc(honest.proof)[0]!) } : undefined,
  ),
  {
    name: 'code and data left out',
    fate: 'refused',
    tells: {
      'liteServer.getAccountState': (honest) =>
        honest.state.length > 0 ? { ...honest, state: withoutContract(honest.state) } : undefined,
    },
  },
]
