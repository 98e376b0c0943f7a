import type { StopSignal } from '../common/stop.ts'
import { getLibrariesWithProof } from '../liteserver/client.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import type { Chain } from './chain.ts'
import { headBlock } from './head.ts'

/** A liteserver takes no more hashes at a time. */
export const LIBRARIES_AT_A_TIME = 16

const fetchLibraries = async (
  { pool, trust, libraries }: Chain,
  id: BlockIdExt,
  library_list: Buffer[],
  signal?: StopSignal,
): Promise<Cell[]> => {
  const request = { id, mode: 0, library_list }
  const found = await pool.run(
    async (query) => trust.checkLibrariesWithProof(await getLibrariesWithProof(query, id, library_list), request),
    { signal, minSeqno: id.seqno },
  )
  const cells = Array.from(found.values()).filter((library): library is Cell => library !== null)
  for (const cell of cells) libraries.put(cell)
  return cells
}

/**
 * The public libraries with these hashes (at most LIBRARIES_AT_A_TIME, each once) in the newest masterchain state,
 * ascending by hash. What is not among them is provably not there.
 */
export const readLibraries = async (chain: Chain, hashes: readonly Buffer[], signal: StopSignal): Promise<Cell[]> =>
  hashes.length === 0 ? [] : fetchLibraries(chain, headBlock(chain).id, hashes.toSorted(Buffer.compare), signal)

/**
 * The public libraries with these hashes that exist at a masterchain block. One that was seen lately is not asked for
 * again, even when it has been taken off the chain since.
 */
export const findLibraries = async (chain: Chain, id: BlockIdExt, hashes: readonly Buffer[]): Promise<Cell[]> => {
  const known = hashes.map((hash) => chain.libraries.get(hash))
  const unknown = hashes.filter((_, i) => known[i] === undefined)
  const found: Cell[] = known.filter((library): library is Cell => library !== undefined)
  for (let i = 0; i < unknown.length; i += LIBRARIES_AT_A_TIME)
    found.push(...(await fetchLibraries(chain, id, unknown.slice(i, i + LIBRARIES_AT_A_TIME))))
  return found
}
