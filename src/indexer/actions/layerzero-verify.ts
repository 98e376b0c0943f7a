import { readVerification } from '../../contracts/layerzero-messages.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'
import { layerZeroEvent, layerZeroRest } from './layerzero-parts.ts'

const DVN_VERIFY = 0xa0d51a8d
const PROXY_CALL_CONTRACT = 0x09f047d9
const ULN_VERIFY = 0x994aaf4e
const ULN_CONNECTION_VERIFY = 0x4ec8f80a
const VERIFY_CALLBACK = 0x3cb38090

/** What the connection answers; another code is told as it is. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
])

/** One of those who verify packets says that it has seen one on the other chain. That it was heard is told by its status. */
export const layerZeroDvnVerify: Matcher = {
  name: 'LayerZero packet that is verified',
  pattern: call(DVN_VERIFY, {
    bare: true,
    child: call(PROXY_CALL_CONTRACT, {
      as: 'proxy',
      child: call(ULN_VERIFY, {
        as: 'uln',
        child: call(ULN_CONNECTION_VERIFY, {
          as: 'connection',
          children: [maybe(layerZeroEvent), call(VERIFY_CALLBACK, { as: 'answer', child: layerZeroRest })],
        }),
      }),
    }),
  }),
  build: (start, match) => {
    const { source: initiator, destination: dvn } = messageOf(start)
    const { nonce, status } = readVerification(messageOf(match.one('answer')!).body)
    return {
      btype: 'layerzero_dvn_verify',
      content: {
        type: 'layerzero_dvn_verify',
        details: {
          initiator,
          nonce,
          status: STATUSES.get(status) ?? `unknown_${status}`,
          dvn,
          proxy: messageOf(match.one('proxy')!).destination,
          uln: messageOf(match.one('uln')!).destination,
          uln_connection: messageOf(match.one('connection')!).destination,
        },
      },
      columns: { source: initiator },
      failed: start.failed,
    }
  },
}
