import type { Cell } from '../../../ton/cell.ts'
import type { Neutral } from '../dialect.ts'
import { tvmCell } from './scalars.ts'

/** `configInfo` (contracts/v2.md 11); bytes are the empty text for a parameter that does not exist. */
export const configInfo = (cell: Cell | null): Neutral => ({ '@type': 'configInfo', config: tvmCell(cell) })
