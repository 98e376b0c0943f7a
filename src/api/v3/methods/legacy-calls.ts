import type { Chain } from '../../../chain/chain.ts'
import { estimateFee } from '../../../chain/fees.ts'
import { runMethod } from '../../../chain/run-method.ts'
import { sendExternalMessage } from '../../../chain/send.ts'
import type { Fees } from '../../../model/fees.ts'
import { normalizedMessageHash } from '../../../ton/message-hash.ts'
import { bagCells, boc } from '../../v2/cell-param.ts'
import { INIT_CODE, INIT_DATA, initialState, MESSAGE_BODY } from '../../v2/methods/message-params.ts'
import { address, bool, int32 } from '../../v2/param.ts'
import { methodParam } from '../../v2/stack-param.ts'
import { exactNumber, goJson, type Wire } from '../go-json.ts'
import { type BodyParam, type CallContext, type PostMethod, post } from '../method.ts'
import { refusal } from '../param.ts'
import { FEES, MESSAGE_HASHES, RUN_RESULT } from '../schemas.ts'
import { base64 } from '../serialize/scalars.ts'
import { stackParam } from '../stack-input.ts'
import { stackEntries } from '../stack-output.ts'

type Context = CallContext<Chain>

const UNAUTHORIZED = 401

/** A value whose absence the reference refuses with 401 (contracts/v3.md 1.5). */
const needed = <T>(param: BodyParam<T>, missing: string): BodyParam<T> => ({
  ...param,
  read: (input, name) => {
    if (input === undefined || input === null || input === '') throw refusal(missing, UNAUTHORIZED)
    return param.read(input, name)
  },
})

const message = post({
  name: 'message',
  group: 'api/v2',
  summary: 'Sends an external message and tells the hashes by which it can be found',
  body: { boc: needed(boc('External message as bag of cells in base64'), 'boc is required') },
  result: MESSAGE_HASHES,
  errors: { 401: 'boc is required' },
  call: async ({ boc: sent }, { chain }: Context) => {
    await sendExternalMessage(chain, sent)
    const hashes = {
      message_hash: base64(sent.root.hash()),
      message_hash_norm: base64(normalizedMessageHash(sent.root)),
    }
    return { text: goJson(hashes) }
  },
})

const fees = ({ in_fwd_fee, storage_fee, gas_fee, fwd_fee }: Fees): Wire => ({
  in_fwd_fee: exactNumber(in_fwd_fee),
  storage_fee: exactNumber(storage_fee),
  gas_fee: exactNumber(gas_fee),
  fwd_fee: exactNumber(fwd_fee),
})

const estimateFeeMethod = post({
  name: 'estimateFee',
  group: 'api/v2',
  summary: 'Fees of an external message, by running it',
  body: {
    address: needed(address({}), 'address is required'),
    body: bagCells.required(MESSAGE_BODY),
    init_code: bagCells.optional(INIT_CODE),
    init_data: bagCells.optional(INIT_DATA),
    ignore_chksig: bool({ description: 'Every signature counts as valid; true unless given' }),
  },
  result: FEES,
  errors: { 401: 'address is required' },
  call: async ({ address, body, init_code, init_data, ignore_chksig = true }, { chain, signal }: Context) => {
    const init = initialState(init_code, init_data)
    const source_fees = fees(await estimateFee(chain, address, { body, init, ignore_chksig, signal }))
    return { text: goJson({ source_fees, destination_fees: [] }) }
  },
})

const runGetMethod = post({
  name: 'runGetMethod',
  group: 'api/v2',
  summary: 'Runs a get-method of a contract',
  body: {
    address: needed(address({}), 'address is required'),
    method: needed(methodParam, 'method is required'),
    stack: stackParam,
    seqno: int32({ optional: true, positive: true, description: 'Masterchain block at which to run; the newest one' }),
  },
  result: RUN_RESULT,
  errors: { 401: 'address is required, or method is required' },
  call: async ({ address, method: method_id, stack, seqno }, { chain, signal }: Context) => {
    const result = await runMethod(chain, address, { method_id, stack, seqno, signal })
    const { gas_used, exit_code } = result
    return { text: goJson({ gas_used, exit_code, stack: stackEntries(result.stack) }) }
  },
})

/** Methods that send and run as API v2 would (contracts/v3.md 4.9). */
export const legacyCallMethods: readonly PostMethod<Chain>[] = [message, estimateFeeMethod, runGetMethod]
