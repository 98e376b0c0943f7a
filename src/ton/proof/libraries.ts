import type { Cell } from '../cell.ts'
import type { Answer, Arguments, Bare } from '../tl/types.ts'
import { parseShardStateTotals, sharedLib } from '../tlb/shard-state.ts'
import { openState } from './block.ts'
import { type Evidence, notProven, proofRoot, proving, sameId } from './evidence.ts'

/** Mode bit of getLibrariesWithProof: say which libraries there are, without their data. */
const NO_DATA = 2

type LibraryEntry = Bare<'liteServer.libraryEntry'>

const hex = (hash: Buffer): string => hash.toString('hex')

const byHash = (entries: readonly LibraryEntry[], asked: readonly Buffer[]): Map<string, LibraryEntry> => {
  const wanted = new Set(asked.map(hex))
  const found = new Map<string, LibraryEntry>()
  for (const entry of entries) {
    const key = hex(entry.hash)
    if (!wanted.has(key)) throw notProven('library that was not asked for')
    found.set(key, entry)
  }
  return found
}

const libraryCell = ({ hash, data }: LibraryEntry, evidence: Evidence): Cell => {
  const cell = proofRoot(data)
  evidence.match(cell, hash, 'library')
  return cell
}

/**
 * Answer to getLibraries: the libraries that were found, by hash in hex. That one is missing is the server's word only
 * (checkLibrariesWithProof proves it). Throws `proof`.
 */
export const checkLibraries = (
  answer: Answer<'liteServer.getLibraries'>,
  request: Arguments<'liteServer.getLibraries'>,
  evidence: Evidence,
): Map<string, Cell> =>
  proving('libraries', () => {
    const found = byHash(answer.result, request.library_list)
    return new Map(Array.from(found, ([key, entry]) => [key, libraryCell(entry, evidence)]))
  })

/**
 * Answer to getLibrariesWithProof: the libraries of the asked masterchain block's state, by hash in hex; those that are
 * not in the map are provably not there. A cell is null where the mode asked for no data. Throws `proof`.
 */
export const checkLibrariesWithProof = (
  answer: Answer<'liteServer.getLibrariesWithProof'>,
  request: Arguments<'liteServer.getLibrariesWithProof'>,
  evidence: Evidence,
): Map<string, Cell | null> =>
  proving('libraries', () => {
    sameId(answer.id, request.id)
    const { state } = openState(proofRoot(answer.state_proof), proofRoot(answer.data_proof), request.id, evidence)
    const { libraries } = parseShardStateTotals(state.totals)
    const found = byHash(answer.result, request.library_list)
    const result = new Map<string, Cell | null>()
    for (const hash of request.library_list) {
      const entry = found.get(hex(hash))
      const exists = sharedLib(libraries, hash) !== null
      if (exists !== (entry !== undefined)) throw notProven('libraries differ from their proof')
      if (entry) result.set(hex(hash), request.mode & NO_DATA ? null : libraryCell(entry, evidence))
    }
    return result
  })
