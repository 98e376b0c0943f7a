import type { Facts } from '../../model/known-account.ts'
import type { Address } from '../../ton/address.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { sentLt } from '../classify/node.ts'
import { detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, kind, only } from '../classify/pattern.ts'

const PROCESS_WITHDRAW_REQUESTS = 0x00000002
const DEPOSIT_WORD = 'd'
const WITHDRAW_WORD = 'w'
const POOL_CODE = Buffer.from('mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=', 'base64')

const isPool = (address: Address | null, facts: Facts): boolean =>
  address !== null && facts(address).code_hash?.equals(POOL_CODE) === true

/** A transfer of TON to a pool, with this comment. */
const saying = (comment: string) =>
  only(kind('ton_transfer'), (part, facts) => {
    const details = detailsOf(part, 'ton_transfer')
    return details?.comment === comment && isPool(details.destination, facts)
  })

const transfersBehind = (part: Part): Part[] =>
  part.next
    .filter(({ btype }) => btype === 'ton_transfer')
    .sort((a, b) => (sentLt(a.nodes[0]!) < sentLt(b.nodes[0]!) ? -1 : 1))

/** A nominator's deposit: comment `d`. */
export const nominatorDeposit: Matcher = {
  name: 'deposit in a nominator pool',
  pattern: saying(DEPOSIT_WORD),
  begins: { comments: [DEPOSIT_WORD] },
  build: (start) => {
    const { source, destination: pool, value: amount } = messageOf(start)
    const details = { stake_holder: source, pool, amount, tokens_minted: null, asset: null, source_asset: null }
    return {
      btype: 'nominator_pool_deposit',
      content: { type: 'stake_deposit', details: { provider: 'nominator', ...details } },
      columns: { source, destination: pool, amount },
      failed: start.failed,
    }
  },
}

const withdrawal = (stake_holder: Address | null, pool: Address | null, amount: bigint, failed: boolean): Made => ({
  btype: 'nominator_pool_withdraw_request',
  content: {
    type: 'stake_withdrawal',
    details: { provider: 'nominator', stake_holder, pool, amount, payout_nft: null, tokens_burnt: null, asset: null },
  },
  columns: { source: stake_holder, destination: pool, amount },
  failed,
})

const request = (stake_holder: Address | null, pool: Address | null, failed: boolean): Made => ({
  btype: 'nominator_pool_withdraw_request',
  content: {
    type: 'stake_withdrawal_request',
    details: {
      provider: 'nominator',
      stake_holder,
      pool,
      payout_nft: null,
      asset: null,
      tokens_burnt: null,
      tokens_minted: null,
    },
  },
  columns: { source: stake_holder, destination: pool },
  failed,
})

/** A nominator who wants it all back, comment `w`: paid at once, where more comes back than was sent along. */
export const nominatorWithdrawRequest: Matcher = {
  name: 'withdrawal asked of a nominator pool',
  pattern: saying(WITHDRAW_WORD),
  begins: { comments: [WITHDRAW_WORD] },
  build: (start) => {
    const { source, destination: pool, value } = messageOf(start)
    const transfers = transfersBehind(start).slice(0, 2)
    const first = transfers[0] && messageOf(transfers[0]).value
    const isPaid = first !== undefined && (transfers.length > 1 || first > value)
    const made = isPaid ? withdrawal(source, pool, first, start.failed) : request(source, pool, start.failed)
    return { ...made, with: transfers }
  },
}

/** What a pool pays out to those who asked for it before. */
export const nominatorWithdraw: Matcher = {
  name: 'payout of a nominator pool',
  pattern: call(PROCESS_WITHDRAW_REQUESTS),
  build: (start, _match, facts) => {
    const pool = messageOf(start).destination
    if (!isPool(pool, facts)) return undefined
    return transfersBehind(start).map((part) => {
      const { destination, value } = messageOf(part)
      return { ...withdrawal(destination, pool, value, part.failed), of: [part] }
    })
  },
}
