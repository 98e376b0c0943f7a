import type { ChainBlock, LookupKey } from '../chain.ts'
import type { ChainView } from '../chain-view.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import type { Handlers } from '../query.ts'
import { headerProof } from './block.ts'

/** `mode` says by exactly one of its lowest three bits what a block is looked up by. */
const KEYS: Partial<Record<number, LookupKey>> = { 1: 'seqno', 2: 'lt', 4: 'utime' }

interface LookupRequest {
  mode: number
  id: { workchain: number; shard: bigint; seqno: number }
  lt?: bigint | undefined
  utime?: number | undefined
}

/** The block that a lookup names. Throws the node's errors. */
export const lookedUp = (view: ChainView, { mode, id, lt, utime }: LookupRequest): ChainBlock => {
  const by = lookupKey(mode)
  const values = { seqno: BigInt(id.seqno >>> 0), lt: BigInt.asUintN(64, lt ?? 0n), utime: BigInt((utime ?? 0) >>> 0) }
  return view.lookup({ workchain: id.workchain, prefix: id.shard }, by, values[by])
}

/** What a lookup goes by. Throws the node's error when `mode` does not say. */
export const lookupKey = (mode: number): LookupKey => {
  const by = KEYS[mode & 7]
  if (!by) throw liteError(BAD_REQUEST, 'exactly one of mode.0, mode.1 and mode.2 bits must be set')
  return by
}

export const lookup = {
  'liteServer.lookupBlock': ({ view }, request) => {
    const block = lookedUp(view, request)
    const mode = request.mode >> 4
    return { _: 'liteServer.blockHeader', id: block.id, mode, header_proof: headerProof(block, mode) }
  },
} satisfies Partial<Handlers>
