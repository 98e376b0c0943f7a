import type { Cell } from '../../../ton/cell.ts'
import type { InitialState } from '../../../ton/external-message.ts'
import { cellObjects } from '../cell-object-param.ts'

export const MESSAGE_BODY = 'Body of the external message'
export const INIT_CODE = 'Code of an account that is not deployed yet; counts only together with `init_data`'
export const INIT_DATA = 'Data of an account that is not deployed yet; counts only together with `init_code`'

/** The parts of a message, each as cell object. */
export const CELL_OBJECT = cellObjects('Error while parsing cell object')

/** The initial state of an account, when both parts of it are given (contracts/v2.md 8.2). */
export const initialState = (code: Cell | undefined, data: Cell | undefined): InitialState | undefined =>
  code && data && { code, data }
