import type { Cell } from '../../ton/cell.ts'
import { type LibDescr, parseShardStateTotals, parseShardStateUnsplit, sharedLib } from '../../ton/tlb/shard-state.ts'
import { loadMasterchainBlock } from '../load.ts'
import { bag, openState, prove, stateRootProof } from '../proofs.ts'
import type { Handlers } from '../query.ts'

/** More libraries than this are not looked for. */
const MAX_LIBRARIES = 16
const WITHOUT_DATA = 2

/** The first 16 hashes, ascending, each once. */
const wanted = (list: readonly Buffer[]): Buffer[] =>
  list
    .slice(0, MAX_LIBRARIES)
    .sort(Buffer.compare)
    .filter((hash, i, sorted) => i === 0 || !hash.equals(sorted[i - 1]!))

const found = (libraries: Cell | null, hashes: readonly Buffer[]): { hash: Buffer; descr: LibDescr }[] =>
  hashes.flatMap((hash) => {
    const descr = sharedLib(libraries, hash)
    return descr ? [{ hash, descr }] : []
  })

export const libraries = {
  'liteServer.getLibraries': ({ view }, { library_list }) => {
    const state = parseShardStateTotals(parseShardStateUnsplit(view.head.state).totals)
    const result = found(state.libraries, wanted(library_list)).map(({ hash, descr }) => ({
      hash,
      data: bag(descr.lib),
    }))
    return { _: 'liteServer.libraryResult', result }
  },
  'liteServer.getLibrariesWithProof': ({ view }, { id, mode, library_list }) => {
    const block = loadMasterchainBlock(view, id)
    const { value, proof } = prove(block.state, (root) =>
      found(parseShardStateTotals(openState(root).totals).libraries, wanted(library_list)),
    )
    return {
      _: 'liteServer.libraryResultWithProof',
      id,
      mode,
      result: value.map(({ hash, descr }) => ({ hash, data: mode & WITHOUT_DATA ? bag() : bag(descr.lib) })),
      state_proof: bag(stateRootProof(block)),
      data_proof: bag(proof),
    }
  },
} satisfies Partial<Handlers>
