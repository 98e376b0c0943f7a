import { beginCell } from '../ton/builder.ts'
import { type Cell, LIBRARY } from '../ton/cell.ts'
import { libraryHash } from '../ton/library.ts'
import { beginParse, type Slice } from '../ton/slice.ts'

/** What a message to a wallet says about when it counts. */
export interface WalletTurn {
  seqno: number
  /** Unix seconds; the message is of no use from then on. */
  valid_until: number
}

/** How a node reads the wallets that it knows (node: WalletMessageProcessor). */
export interface WalletLayout {
  /** Bits in front of the seqno in the contract's data. */
  seqnoAt: number
  /** Length of the head of the body that `turn` reads. */
  bodyBits: number
  /** Reads the body of an external message of at least `bodyBits`. */
  turn(body: Slice): WalletTurn
}

const FOREVER = 0xffffffff
const SIGNATURE = 512
const SEQNO_BITS = 32

const untilThenSeqno = (body: Slice): WalletTurn => {
  const valid_until = body.uint(32)
  return { seqno: body.uint(SEQNO_BITS), valid_until }
}

const V1: WalletLayout = {
  seqnoAt: 0,
  bodyBits: SIGNATURE + 32,
  turn: (body) => ({ seqno: body.skip(SIGNATURE).uint(SEQNO_BITS), valid_until: FOREVER }),
}
const V2: WalletLayout = {
  seqnoAt: 0,
  bodyBits: SIGNATURE + 64,
  turn: (body) => ({ seqno: body.skip(SIGNATURE).uint(SEQNO_BITS), valid_until: body.uint(32) }),
}
/** Behind the signature and the subwallet's id. */
const V3_V4: WalletLayout = {
  seqnoAt: 0,
  bodyBits: SIGNATURE + 96,
  turn: (body) => untilThenSeqno(body.skip(SIGNATURE + 32)),
}
/** Behind the opcode and the wallet's id; the signature stands at the end. In the data a flag stands first. */
const V5: WalletLayout = {
  seqnoAt: 1,
  bodyBits: 128,
  turn: (body) => untilThenSeqno(body.skip(64)),
}

/** The revisions that a node knows, by the hash of their code: v1 r1 to r3, v2 r1 and r2, v3 r1 and r2, v4 r1 and r2, v5 r1. */
const WALLETS: ReadonlyMap<string, WalletLayout> = new Map([
  ['a0cfc2c48aee16a271f2cfc0b7382d81756cecb1017d077faaab3bb602f6868c', V1],
  ['d4902fcc9fad74698fa8e353220a68da0dcf72e32bcb2eb9ee04217c17d3062c', V1],
  ['587cc789eff1c84f46ec3797e45fc809a14ff5ae24f1e0c7a6a99cc9dc9061ff', V1],
  ['5c9a5e68c108e18721a07c42f9956bfb39ad77ec6d624b60c576ec88eee65329', V2],
  ['fe9530d3243853083ef2ef0b4c2908c0abf6fa1c31ea243aacaa5bf8c7d753f1', V2],
  ['b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581', V3_V4],
  ['84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599', V3_V4],
  ['64dd54805522c5be8a9db59cea0105ccf0d08786ca79beb8cb79e880a8d7322d', V3_V4],
  ['feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0', V3_V4],
  ['20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f', V5],
])

/** The layout of a wallet by its code or by the library cell that stands for it; undefined for any other contract. */
export const walletLayout = (code: Cell): WalletLayout | undefined => {
  const hash = code.type === LIBRARY ? libraryHash(code) : code.hash()
  return WALLETS.get(hash.toString('hex'))
}

/** The seqno in a wallet's data; undefined when the data is too short. */
export const walletSeqno = ({ seqnoAt }: WalletLayout, data: Cell): number | undefined =>
  data.exotic || data.bits < seqnoAt + SEQNO_BITS ? undefined : beginParse(data).skip(seqnoAt).uint(SEQNO_BITS)

/** The data (at least as long as for `walletSeqno`) with another seqno in it. */
export const withWalletSeqno = ({ seqnoAt }: WalletLayout, data: Cell, seqno: number): Cell => {
  const rest = beginParse(data)
  const builder = beginCell()
  for (let i = 0; i < seqnoAt; i++) builder.bit(rest.bit())
  return builder.uint(seqno, SEQNO_BITS).slice(rest.skip(SEQNO_BITS)).endCell()
}
