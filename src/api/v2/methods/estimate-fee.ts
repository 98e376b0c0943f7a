import type { Chain } from '../../../chain/chain.ts'
import { estimateFee } from '../../../chain/fees.ts'
import { ref } from '../../json-schema.ts'
import { bagCells, type CellKind } from '../cell-param.ts'
import { type CallContext, type Method, type MethodSpec, method, POST } from '../method.ts'
import { address, bool } from '../param.ts'
import { queryFees } from '../serialize/send.ts'
import { CELL_OBJECT, INIT_CODE, INIT_DATA, initialState, MESSAGE_BODY } from './message-params.ts'

const params = (cells: CellKind) => ({
  address: address({}),
  body: cells.required(MESSAGE_BODY),
  init_code: cells.optional(INIT_CODE),
  init_data: cells.optional(INIT_DATA),
  ignore_chksig: bool({ description: 'Every signature counts as valid; true unless given' }),
})

/** What the two methods have in common. */
const spec = (cells: CellKind): Omit<MethodSpec<ReturnType<typeof params>, Chain>, 'name' | 'summary'> => ({
  group: 'send',
  verbs: POST,
  params: params(cells),
  result: ref('QueryFees'),
  call: async (
    { address, body, init_code, init_data, ignore_chksig = true },
    { chain, signal }: CallContext<Chain>,
  ) => {
    const init = initialState(init_code, init_data)
    return queryFees(await estimateFee(chain, address, { body, init, ignore_chksig, signal }))
  },
})

/** Methods that tell what a message would cost (contracts/v2.md 8.2, 12). */
export const estimateFeeMethods: readonly Method<Chain>[] = [
  method({ ...spec(bagCells), name: 'estimateFee', summary: 'Fees of an external message, by running it' }),
  method({
    ...spec(CELL_OBJECT),
    name: 'estimateFeeSimple',
    summary: 'As estimateFee, with cells written out as objects',
    errors: { 400: 'A cell object cannot be read' },
  }),
]
