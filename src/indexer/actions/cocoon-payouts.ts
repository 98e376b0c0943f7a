import { readSignedByProxy } from '../../contracts/cocoon-messages.ts'
import { accountIn, needInteger } from '../../contracts/fields.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, messageOf } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'
import { clientRequest, cocoonExcess, cocoonPayout } from './cocoon-parts.ts'
import { saidBy } from './dex-parts.ts'

const PAYOUT_PAYLOAD = 0xa040ad28
const LAST_PAYOUT_PAYLOAD = 0xf5f26a36
const WORKER_PROXY_REQUEST = 0x4d725d2c
const PROXY_PAYOUT_REQUEST = 0x7610e6eb
const CHARGE_PAYLOAD = 0xbb63ff93
const GRANT_REFUND_PAYLOAD = 0xefd711e1

/** A proxy has the owner of a worker paid for its work. */
export const cocoonWorkerPayout: Matcher = {
  name: 'Cocoon payout to a worker',
  pattern: call([PAYOUT_PAYLOAD, LAST_PAYOUT_PAYLOAD], {
    bare: true,
    child: call(WORKER_PROXY_REQUEST, { as: 'request', children: [cocoonPayout, maybe(cocoonExcess)] }),
  }),
  build: (start, match) => {
    const { source, destination: worker, body } = messageOf(start)
    const { query_id, tokens } = readSignedByProxy(body)
    const request = saidBy(match.one('request')!)
    const destination = accountIn(request, 'owner_address')
    const payout = match.one('payout')!
    const amount = messageOf(payout).value
    return {
      btype: 'cocoon_worker_payout',
      content: {
        type: 'cocoon_worker_payout',
        details: {
          payout_type: calls(start, LAST_PAYOUT_PAYLOAD) ? 'last' : 'regular',
          query_id,
          new_tokens: tokens,
          worker_state: Number(needInteger(request, 'state')),
          worker_tokens: needInteger(request, 'tokens'),
          source,
          destination,
          amount,
        },
      },
      columns: { source, source_secondary: worker, destination, amount },
      failed: payout.failed,
    }
  },
}

/** A proxy pays its owner what it has earned. */
export const cocoonProxyPayout: Matcher = {
  name: 'Cocoon payout to a proxy',
  pattern: call(PROXY_PAYOUT_REQUEST, { bare: true, children: [cocoonPayout, cocoonExcess] }),
  build: (start, match) => {
    const said = saidBy(start)
    const payout = match.one('payout')!
    const { destination: source } = messageOf(start)
    const { destination } = messageOf(payout)
    return {
      btype: 'cocoon_proxy_payout',
      content: {
        type: 'cocoon_proxy_payout',
        details: { query_id: needInteger(said, 'query_id'), source, destination },
      },
      columns: { source, destination, destination_secondary: accountIn(said, 'send_excess_to') },
      failed: payout.failed,
    }
  },
}

/** A proxy tells of the work that a client has to pay for. */
export const cocoonProxyCharge: Matcher = {
  name: 'Cocoon charge',
  pattern: call(CHARGE_PAYLOAD, { bare: true, children: [cocoonExcess, clientRequest()] }),
  build: (start, match) => {
    const { destination: source, body } = messageOf(start)
    const { destination } = messageOf(match.one('request')!)
    const { query_id, tokens, expected_address } = readSignedByProxy(body)
    return {
      btype: 'cocoon_proxy_charge',
      content: {
        type: 'cocoon_proxy_charge',
        details: { query_id, new_tokens_used: tokens, expected_address, source, destination },
      },
      columns: { source, destination, amount: 0n },
      failed: start.failed,
    }
  },
}

/** A proxy lets a client have back what it has not spent. */
export const cocoonGrantRefund: Matcher = {
  name: 'Cocoon refund',
  pattern: call(GRANT_REFUND_PAYLOAD, { bare: true, child: clientRequest([cocoonPayout, cocoonExcess]) }),
  build: (start, match) => {
    const { destination: source, body } = messageOf(start)
    const { query_id, tokens, expected_address } = readSignedByProxy(body)
    const payout = match.one('payout')!
    const { destination, value: amount } = messageOf(payout)
    return {
      btype: 'cocoon_grant_refund',
      content: {
        type: 'cocoon_grant_refund',
        details: { query_id, new_tokens_used: tokens, expected_address, source, destination, amount },
      },
      columns: {
        source,
        source_secondary: messageOf(match.one('request')!).destination,
        destination,
        amount,
      },
      failed: payout.failed,
    }
  },
}
