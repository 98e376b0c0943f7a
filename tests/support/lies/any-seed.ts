import fc from 'fast-check'
import { isTonlithError } from '../../../src/common/errors.ts'
import { bag } from '../../../src/devnet/proofs.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { parseBoc } from '../../../src/ton/boc.ts'
import { type Cell, MERKLE_PROOF } from '../../../src/ton/cell.ts'
import { encode } from '../../../src/ton/tl/codec.ts'
import type { LiteAnswer, LiteRequest } from '../../../src/ton/tl/lite-api.ts'
import type { Arguments } from '../../../src/ton/tl/types.ts'
import { proofCell } from '../exotic-cells.ts'
import type { Lie, Told } from '../lying-liteserver.ts'
import { type Mutation, mutated } from '../mutated-cell.ts'
import { flipped, neighbour, type READS, withBags, withBlocks } from './pieces.ts'

/** Methods whose answers make a head believed. */
export const HEAD_METHODS = [
  'liteServer.getBlockHeader',
  'liteServer.getBlockProof',
  'liteServer.getMasterchainInfoExt',
] as const
type Lied = (typeof READS)[number] | (typeof HEAD_METHODS)[number]

/** What a random lie is made of; each number is taken modulo what there is to choose from. */
interface Dice {
  /** Which of an answer's bags of cells, byte strings or ids of blocks. */
  which: number
  at: number
  steps: number
  mutation: Mutation
  account: Buffer
}

const dice: fc.Arbitrary<Dice> = fc.record({
  which: fc.nat(7),
  at: fc.nat(),
  steps: fc.integer({ min: -60, max: -1 }),
  mutation: fc.record({
    path: fc.array(fc.nat(3), { maxLength: 24 }),
    kind: fc.constantFrom('flip', 'cut', 'grow', 'drop', 'swap', 'double', 'prune'),
    at: fc.nat(4_000),
  }),
  account: fc.constantFrom(0x33, 0x55, 0xa5).map((byte) => Buffer.alloc(32, byte)),
})

type Teller = (honest: LiteAnswer, args: Arguments<Lied>, ask: Query, method: Lied) => Told | Promise<Told>

/** Changes one of the bags of cells of an answer: the one that comes up, or the last one. */
const oneBag = (honest: LiteAnswer, which: number, change: (bytes: Buffer) => Buffer): LiteAnswer => {
  let count = 0
  withBags(honest, (bytes) => {
    count++
    return bytes
  })
  let left = which % Math.max(1, count)
  return withBags(honest, (bytes) => (left-- === 0 ? change(bytes) : bytes))
}

/** A bag with a change below each root, or below what it proves: as a forger would make it, with hashes that fit. */
const changedCells = (bytes: Buffer, mutation: Mutation): Buffer => {
  const change = (root: Cell): Cell =>
    root.type === MERKLE_PROOF ? proofCell(mutated(root.ref(0), mutation)) : mutated(root, mutation)
  return bag(...parseBoc(bytes).map(change))
}

/** The same question about an older block, where it is about a block. */
const askOlder = async (method: Lied, args: Arguments<Lied>, steps: number, ask: Query): Promise<LiteAnswer> => {
  const older = withBlocks({ _: method, ...args } as unknown as LiteAnswer, (id) => neighbour(id, steps))
  const { _, ...rest } = older as unknown as LiteRequest
  return await ask(method, rest as Arguments<Lied>)
}

const OTHER_ACCOUNT = 'another account'

const KINDS: Readonly<Record<string, (dice: Dice) => Teller>> = {
  'a forged cell':
    ({ which, mutation }) =>
    (honest) =>
      oneBag(honest, which, (bytes) => changedCells(bytes, mutation)),
  'a truncated proof':
    ({ which, mutation }) =>
    (honest) =>
      oneBag(honest, which, (bytes) => changedCells(bytes, { ...mutation, kind: 'prune' })),
  'half of a bag':
    ({ which, at }) =>
    (honest) =>
      oneBag(honest, which, (bytes) => bytes.subarray(0, at % bytes.length)),
  'a flipped bit':
    ({ at }) =>
    (honest) => {
      const bytes = encode(honest)
      return flipped(bytes, at % (bytes.length * 8))
    },
  'an older block':
    ({ steps }) =>
    (_, args, ask, method) =>
      askOlder(method, args, steps, ask),
  'an older block under the name of the asked one':
    ({ steps }) =>
    async (honest, args, ask, method) => {
      const old = await askOlder(method, args, steps, ask)
      return 'id' in honest && 'id' in old ? ({ ...old, id: honest.id } as LiteAnswer) : old
    },
  'a bag of an older block':
    ({ steps, which }) =>
    async (honest, args, ask, method) => {
      const bags: Buffer[] = []
      withBags(await askOlder(method, args, steps, ask), (bytes) => {
        bags.push(bytes)
        return bytes
      })
      return oneBag(honest, which, (bytes) => bags[which % Math.max(1, bags.length)] ?? bytes)
    },
  [OTHER_ACCOUNT]:
    ({ account }) =>
    (_, args, ask, method) =>
      ask(method, { ...args, account: { workchain: -1, id: account } } as unknown as Arguments<Lied>),
}

/** The dice are rolled so often for a lie that can be made and is none of the truth. */
const ROLLS = 12

const attempt = async (tell: () => Told | Promise<Told>): Promise<Told> => {
  try {
    return await tell()
  } catch (error) {
    if (!isTonlithError(error)) throw error
    return undefined
  }
}

const isTrue = (lie: NonNullable<Told>, honest: LiteAnswer): boolean =>
  typeof lie === 'object' && !Buffer.isBuffer(lie) && encode(lie).equals(encode(honest))

/** Names of the kinds of random lies; a seed's kind is the one at its place. */
export const KINDS_OF_LIES = Object.keys(KINDS)

const ABOUT_ACCOUNTS = ['liteServer.getAccountState', 'liteServer.getAccountStatePrunned'] as const

/** The random lie of a seed, about every answer to one of the methods, or to those that its kind can be about. */
export const lieOfSeed = (seed: number, methods: readonly Lied[]): Lie => {
  const kind = KINDS_OF_LIES[seed % KINDS_OF_LIES.length]!
  const asked = kind === OTHER_ACCOUNT ? ABOUT_ACCOUNTS : methods
  const tellers = fc.sample(dice, { seed, numRuns: ROLLS }).map(KINDS[kind]!)
  const told =
    (method: Lied) =>
    async (honest: LiteAnswer, args: Arguments<Lied>, ask: Query): Promise<Told> => {
      for (const tell of tellers) {
        const lie = await attempt(() => tell(honest, args, ask, method))
        if (lie !== undefined && !isTrue(lie, honest)) return lie
      }
      return undefined
    }
  return { name: kind, fate: 'either', tells: Object.fromEntries(asked.map((method) => [method, told(method)])) }
}
