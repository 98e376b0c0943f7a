import { serializeBoc } from '../../../ton/boc-writer.ts'
import type { Cell } from '../../../ton/cell.ts'
import type { Neutral } from '../dialect.ts'
import { tvmCell } from './scalars.ts'

/** `configInfo` (contracts/v2.md 11); bytes are the empty text for a parameter that does not exist. */
export const configInfo = (cell: Cell | null): Neutral => ({ '@type': 'configInfo', config: tvmCell(cell) })

/** `smc.libraryResult` (contracts/v2.md 11.3). The data is in the form in which liteservers give it, without a checksum. */
export const libraryResult = (libraries: readonly Cell[]): Neutral => ({
  '@type': 'smc.libraryResult',
  result: libraries.map((library) => ({
    '@type': 'smc.libraryEntry',
    hash: library.hash(),
    data: serializeBoc([library], { crc: false }),
  })),
})
