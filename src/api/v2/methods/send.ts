import type { Chain } from '../../../chain/chain.ts'
import { sendExternalMessage } from '../../../chain/send.ts'
import { TonlithError } from '../../../common/errors.ts'
import type { Address } from '../../../ton/address.ts'
import { cellToBoc } from '../../../ton/boc-writer.ts'
import type { Cell } from '../../../ton/cell.ts'
import { externalMessage } from '../../../ton/external-message.ts'
import { ref } from '../../json-schema.ts'
import { cellObjects } from '../cell-object-param.ts'
import { type Boc, bagCells, boc, type CellKind } from '../cell-param.ts'
import type { Neutral } from '../dialect.ts'
import { callFailure } from '../errors.ts'
import { type CallContext, type Method, method, POST } from '../method.ts'
import { address } from '../param.ts'
import { extMessageInfo, OK } from '../serialize/send.ts'
import { CELL_OBJECT, INIT_CODE, INIT_DATA, initialState, MESSAGE_BODY } from './message-params.ts'

type Context = CallContext<Chain>

const SERVER_ERROR = 500
/** What sendBocReturnHashNoError answers with instead; its name means that. */
const CLIENT_ERROR = 400

const message = boc('External message as bag of cells')

const send = async (sent: Boc, { chain }: Context): Promise<Neutral> => {
  await sendExternalMessage(chain, sent)
  return OK
}

const sendAndTell = async (sent: Boc, { chain }: Context): Promise<Neutral> => {
  await sendExternalMessage(chain, sent)
  return extMessageInfo(sent.root)
}

const sendCell = (root: Cell, context: Context): Promise<Neutral> => send({ root, boc: cellToBoc(root) }, context)

const sendBoc = method({
  name: 'sendBoc',
  group: 'send',
  summary: 'Sends an external message to the network',
  verbs: POST,
  params: { boc: message },
  result: ref('Ok'),
  call: ({ boc }, context: Context) => send(boc, context),
})

const sendBocReturnHash = method({
  name: 'sendBocReturnHash',
  group: 'send',
  summary: 'Sends an external message and tells the hashes by which it can be found',
  verbs: POST,
  params: { boc: message },
  result: ref('ExtMessageInfo'),
  call: ({ boc }, context: Context) => sendAndTell(boc, context),
})

const sendBocReturnHashNoError = method({
  name: 'sendBocReturnHashNoError',
  group: 'send',
  summary: 'The same; a refusal of the network has status 400',
  verbs: POST,
  hidden: true,
  params: { boc: message },
  result: ref('ExtMessageInfo'),
  errors: { [CLIENT_ERROR]: 'The liteserver refused; its words are in the error' },
  call: async ({ boc }, context: Context) => {
    try {
      return await sendAndTell(boc, context)
    } catch (cause) {
      const { status, error } = callFailure(cause)
      if (status !== SERVER_ERROR) throw cause
      throw new TonlithError('unsupported', error, { code: CLIENT_ERROR, cause })
    }
  },
})

interface Query {
  address: Address
  body: Cell
  init_code: Cell | undefined
  init_data: Cell | undefined
}

const sendQueryOf = ({ address, body, init_code, init_data }: Query, context: Context): Promise<Neutral> =>
  sendCell(externalMessage({ dest: address, body, init: initialState(init_code, init_data) }), context)

const queryParams = (cells: CellKind) => ({
  address: address({}),
  body: cells.required(MESSAGE_BODY),
  init_code: cells.optional(INIT_CODE),
  init_data: cells.optional(INIT_DATA),
})

const sendQuery = method({
  name: 'sendQuery',
  group: 'send',
  summary: 'Builds an external message and sends it to the network',
  verbs: POST,
  params: queryParams(bagCells),
  result: ref('Ok'),
  call: async (query, context: Context) => sendQueryOf(query, context),
})

const sendQuerySimple = method({
  name: 'sendQuerySimple',
  group: 'send',
  summary: 'As sendQuery, with cells written out as objects',
  verbs: POST,
  params: queryParams(CELL_OBJECT),
  result: ref('Ok'),
  errors: { [CLIENT_ERROR]: 'A cell object cannot be read' },
  call: async (query, context: Context) => sendQueryOf(query, context),
})

const sendCellSimple = method({
  name: 'sendCellSimple',
  group: 'send',
  summary: 'As sendBoc, with the message written out as an object',
  verbs: POST,
  params: { cell: cellObjects('Error while parsing cell').required('External message as cell object') },
  result: ref('Ok'),
  errors: { [CLIENT_ERROR]: 'The cell object cannot be read' },
  call: ({ cell }, context: Context) => sendCell(cell, context),
})

/** Methods that send messages (contracts/v2.md 8.1, 12). */
export const sendMethods: readonly Method<Chain>[] = [
  sendBoc,
  sendBocReturnHash,
  sendBocReturnHashNoError,
  sendQuery,
  sendQuerySimple,
  sendCellSimple,
]
