import { readProxyRegistration } from '../../contracts/cocoon-messages.ts'
import { needInteger } from '../../contracts/fields.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { cocoonExcess } from './cocoon-parts.ts'
import { saidBy } from './dex-parts.ts'

const REGISTER_PROXY = 0x927c7cb5
const UNREGISTER_PROXY = 0x6d49eaf2

/** The root takes a proxy into its list. */
export const cocoonRegisterProxy: Matcher = {
  name: 'Cocoon registration of a proxy',
  pattern: call(REGISTER_PROXY, { bare: true, child: cocoonExcess }),
  build: (start) => {
    const { destination, body } = messageOf(start)
    const { query_id } = readProxyRegistration(body)
    return {
      btype: 'cocoon_register_proxy',
      content: { type: 'cocoon_register_proxy', details: { query_id, destination } },
      columns: { destination },
      failed: start.failed,
    }
  },
}

/** The root takes a proxy off its list. */
export const cocoonUnregisterProxy: Matcher = {
  name: 'Cocoon removal of a proxy',
  pattern: call(UNREGISTER_PROXY, { bare: true, child: cocoonExcess }),
  build: (start) => {
    const { destination } = messageOf(start)
    const said = saidBy(start)
    return {
      btype: 'cocoon_unregister_proxy',
      content: {
        type: 'cocoon_unregister_proxy',
        details: {
          query_id: needInteger(said, 'query_id'),
          seqno: Number(needInteger(said, 'seqno')),
          destination,
        },
      },
      columns: { destination },
      failed: start.failed,
    }
  },
}
