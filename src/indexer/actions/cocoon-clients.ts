import { inner, integerIn, needInteger } from '../../contracts/fields.ts'
import { isFields } from '../../contracts/tlb/values.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf, type Part } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'
import { clientRequest, cocoonExcess, cocoonPayout, ownersRequest } from './cocoon-parts.ts'
import { saidBy } from './dex-parts.ts'

const TOP_UP = 0xf172e6c2
const REGISTER = 0xc45f9f3b
const CHANGE_SECRET_HASH = 0xa9357034
const REQUEST_REFUND = 0xfafa6cc1
const INCREASE_STAKE = 0x6a1f6a60
const WITHDRAW = 0xda068e78
const WALLET_SEND_MESSAGE = 0x9c69f376

/** A client gives back what is left, and tells its proxy, which may refuse that. */
const ANSWERED = { bare: true, children: [cocoonExcess, clientRequest()] }

/** Money for what a client has its proxy do. */
export const cocoonClientTopUp: Matcher = {
  name: 'Cocoon top up',
  pattern: call(TOP_UP, { bare: true, child: clientRequest([cocoonExcess]) }),
  build: (start, match) => {
    const { query_id, source, destination } = ownersRequest(start)
    const amount = needInteger(saidBy(start), 'top_up_amount')
    return {
      btype: 'cocoon_client_top_up',
      content: { type: 'cocoon_client_top_up', details: { query_id, source, destination, amount } },
      columns: {
        source,
        destination,
        destination_secondary: messageOf(match.one('request')!).destination,
        amount,
      },
      failed: start.failed,
    }
  },
}

/** An owner makes a client known to its proxy. */
export const cocoonClientRegister: Matcher = {
  name: 'Cocoon registration of a client',
  pattern: call(REGISTER, ANSWERED),
  build: (start) => {
    const { query_id, source, destination } = ownersRequest(start)
    const nonce = needInteger(saidBy(start), 'nonce')
    return {
      btype: 'cocoon_client_register',
      content: { type: 'cocoon_client_register', details: { query_id, nonce, source, destination } },
      columns: { source, destination },
      failed: start.failed,
    }
  },
}

/** Another secret by which a client's requests are known. */
export const cocoonClientChangeSecretHash: Matcher = {
  name: 'Cocoon secret of a client',
  pattern: call(CHANGE_SECRET_HASH, ANSWERED),
  build: (start) => {
    const { query_id, source, destination } = ownersRequest(start)
    const new_secret_hash = needInteger(saidBy(start), 'new_secret_hash').toString(16)
    return {
      btype: 'cocoon_client_change_secret_hash',
      content: {
        type: 'cocoon_client_change_secret_hash',
        details: { query_id, new_secret_hash, source, destination },
      },
      columns: { source, destination },
      failed: start.failed,
    }
  },
}

/** An owner asks for what a client has not spent, itself or through a wallet of Cocoon. */
export const cocoonClientRequestRefund: Matcher = {
  name: 'Cocoon request for a refund',
  pattern: call(REQUEST_REFUND, { ...ANSWERED, parent: maybe(call(WALLET_SEND_MESSAGE, { as: 'wallet' })) }),
  build: (start, match) => {
    const { query_id, source, destination } = ownersRequest(start)
    const via_wallet = match.one('wallet') !== undefined
    return {
      btype: 'cocoon_client_request_refund',
      content: { type: 'cocoon_client_request_refund', details: { query_id, via_wallet, source, destination } },
      columns: { source, destination },
      failed: start.failed,
    }
  },
}

/** More for a client to vouch with. */
export const cocoonClientIncreaseStake: Matcher = {
  name: 'Cocoon stake of a client',
  pattern: call(INCREASE_STAKE, ANSWERED),
  build: (start) => {
    const { query_id, source, destination } = ownersRequest(start)
    const new_stake = needInteger(saidBy(start), 'new_stake')
    return {
      btype: 'cocoon_client_increase_stake',
      content: {
        type: 'cocoon_client_increase_stake',
        details: { query_id, new_stake, source, destination, amount: new_stake },
      },
      columns: { source, destination, amount: new_stake },
      failed: start.failed,
    }
  },
}

/** What a client tells its proxy to pay out (`cocoon_client_proxy_refund_granted`), nano-units; nothing where it tells another thing. */
const granted = (request: Part): bigint => {
  const payload = inner(request.nodes[0]?.said()?.['payload'])
  const isGrant = isFields(payload) && payload['@type'] === 'cocoon_client_proxy_refund_granted'
  return (isGrant ? integerIn(payload, 'coins') : undefined) ?? 0n
}

/** An owner takes out of a client what it does not need. */
export const cocoonClientWithdraw: Matcher = {
  name: 'Cocoon withdrawal from a client',
  pattern: call(WITHDRAW, { bare: true, child: clientRequest([maybe(cocoonExcess), cocoonPayout]) }),
  build: (start, match) => {
    const { query_id, source, destination } = ownersRequest(start)
    const withdraw_amount = granted(match.one('request')!)
    return {
      btype: 'cocoon_client_withdraw',
      content: {
        type: 'cocoon_client_withdraw',
        details: { query_id, withdraw_amount, source, destination, amount: withdraw_amount },
      },
      columns: { source, destination, amount: withdraw_amount },
      failed: start.failed,
    }
  },
}
