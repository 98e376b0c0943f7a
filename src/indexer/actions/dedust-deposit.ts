import { accountIn, inner, integerIn, needInteger, recordIn } from '../../contracts/fields.ts'
import { isFields } from '../../contracts/tlb/values.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, readJettonInternalTransfer } from '../../contracts/token-messages.ts'
import { JETTON_TRANSFER } from '../../contracts/transfer-bodies.ts'
import type { DexDepositLiquidityDetails, VaultExcess } from '../../model/actions/dex.ts'
import type { Facts } from '../../model/known-account.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { calls, messageOf, type Part } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { depositTold, sameAsset } from './dex-content.ts'
import { nextCall, saidBy, withAppended } from './dex-parts.ts'

const DEPOSIT = 0xd55e4686
const CREATE_DEPOSIT = 0xf04ec526
const INSTALL = 0x9b3aa3fa
const DEPOSIT_ASSET = 0x54240fe5
const DEPOSIT_ALL = 0xb56b9598
const DEPOSIT_EVENT = 0xb544f4a4
const FULFILL = 0xaae79256
const REJECT = 0xe1a36cd4
const PAY_OUT_FROM_DEPOSIT = 0x6b0b787f
const PAYOUT = 0x474f86cf

type Targets = Pick<
  DexDepositLiquidityDetails,
  'target_asset_1' | 'target_asset_2' | 'target_amount_1' | 'target_amount_2'
>

/** One asset on its way to the contract that collects both. */
interface Leg {
  head: Part
  parts: Part[]
  owner: Address | null
  account: Address
  asset: Address | null
  amount: bigint
  wallet: Address | null
  targets: Targets
  /** The collected assets on their way to the pool. */
  all: Part | undefined
  failed: boolean
}

/** What was asked of the vault: the message or the payload of the jettons, and the parts from the first one on. */
const requestOf = (create: Part) => {
  const cause = create.previous
  if (!cause) return undefined
  if (calls(cause, DEPOSIT)) return { parts: [cause], said: saidBy(cause), balances: recordIn(saidBy(cause), '') }
  const internal = cause.previous
  const transfer = internal?.previous
  if (!calls(cause, JETTON_NOTIFY) || !internal || !calls(internal, JETTON_INTERNAL_TRANSFER)) return undefined
  if (!transfer || !calls(transfer, JETTON_TRANSFER)) return undefined
  const payload = inner(saidBy(cause).forward_payload)
  const said = isFields(payload) ? payload : undefined
  return { parts: [transfer, internal, cause], said, balances: said }
}

/** The amounts that have come together. */
const collectedTargets = (all: Part): Targets => {
  const assets = recordIn(saidBy(all), 'assets')
  return {
    target_asset_1: accountIn(assets, 'asset0'),
    target_asset_2: accountIn(assets, 'asset1'),
    target_amount_1: needInteger(assets, 'amount0'),
    target_amount_2: needInteger(assets, 'amount1'),
  }
}

type Request = NonNullable<ReturnType<typeof requestOf>>

const targetsOf = ({ said, balances }: Request): Targets => {
  const pool = recordIn(said, 'pool_params')
  return {
    target_asset_1: accountIn(pool, 'asset0'),
    target_asset_2: accountIn(pool, 'asset1'),
    target_amount_1: integerIn(balances, 'asset0_target_balance') ?? null,
    target_amount_2: integerIn(balances, 'asset1_target_balance') ?? null,
  }
}

const legAt = (create: Part): Leg | undefined => {
  const request = requestOf(create)
  const deposit = nextCall(create, DEPOSIT_ASSET)
  if (!request || !deposit) return undefined
  const said = saidBy(deposit)
  const install = nextCall(create, INSTALL)
  const [head] = request.parts
  return {
    head: head!,
    parts: withAppended([...request.parts, create, ...(install ? [install] : []), deposit]),
    owner: accountIn(saidBy(create), 'owner_addr'),
    account: messageOf(deposit).destination!,
    asset: accountIn(said, 'asset'),
    amount: needInteger(said, 'amount'),
    wallet: request.parts.length > 1 ? messageOf(head!).destination : null,
    targets: targetsOf(request),
    all: nextCall(deposit, DEPOSIT_ALL),
    failed: create.failed || deposit.failed,
  }
}

const isSameDeposit = (a: Leg, b: Leg): boolean =>
  sameAddress(a.account, b.account) && a.owner !== null && b.owner !== null && sameAddress(a.owner, b.owner)

/** The legs that were sent together with this one to the same contract. */
const legsBeside = (leg: Leg): Leg[] =>
  (leg.head.previous?.next ?? [])
    .filter((part) => part !== leg.head)
    .map((part) => {
      const notified = nextCall(nextCall(part, JETTON_INTERNAL_TRANSFER), JETTON_NOTIFY)
      return nextCall(calls(part, DEPOSIT) ? part : notified, CREATE_DEPOSIT)
    })
    .map((create) => create && legAt(create))
    .filter((other) => other !== undefined && isSameDeposit(leg, other))
    .map((other) => other!)

/** The other half of a deposit, where it is clear which one that is. */
const otherHalf = (leg: Leg): Leg | undefined => {
  const [other, ...more] = legsBeside(leg)
  return other && more.length === 0 && !other.all && !sameAsset(other.asset, leg.asset) ? other : undefined
}

/** What a vault gives back, and the parts that it is. */
const excessAt = (told: Part, facts: Facts): { excess: VaultExcess; parts: Part[] } | undefined => {
  const ton = nextCall(told, PAYOUT)
  if (ton) return { excess: { asset: null, amount: messageOf(ton).value }, parts: [told, ton] }
  const transfer = nextCall(told, JETTON_TRANSFER)
  const internal = nextCall(transfer, JETTON_INTERNAL_TRANSFER)
  const taken = internal && readJettonInternalTransfer(messageOf(internal).body)
  if (!transfer || !taken) return undefined
  const wallets = [messageOf(internal).destination!, messageOf(transfer).destination!]
  const asset = wallets.map((wallet) => facts(wallet).jetton_wallet?.jetton).find((known) => known !== undefined)
  const notified = nextCall(internal, JETTON_NOTIFY)
  return {
    excess: { asset: asset ?? null, amount: taken.amount },
    parts: [told, transfer, internal, ...(notified ? [notified] : [])],
  }
}

const sentAt = (part: Part): bigint => messageOf(part).created_lt ?? 0n

/** How the pool answered: what it minted, or that it rejected, and what the vaults gave back. */
const outcomeOf = (all: Part, facts: Facts) => {
  const rejected = nextCall(all, REJECT)
  const done = nextCall(all, FULFILL) ?? rejected
  const minted = nextCall(all, JETTON_INTERNAL_TRANSFER)
  const excesses = (done?.next ?? [])
    .filter((next) => calls(next, PAY_OUT_FROM_DEPOSIT))
    .sort((one, other) => (sentAt(one) < sentAt(other) ? -1 : 1))
    .map((told) => excessAt(told, facts))
    .filter((found) => found !== undefined)
  const gas = done?.next.filter(({ btype }) => btype === 'ton_transfer') ?? []
  const others = [done, minted, nextCall(minted, JETTON_NOTIFY), nextCall(all, DEPOSIT_EVENT)]
  return {
    failed: rejected !== undefined || all.failed,
    lp_tokens_minted: (minted && readJettonInternalTransfer(messageOf(minted).body)?.amount) ?? null,
    vault_excesses: excesses.map(({ excess }) => excess),
    parts: withAppended([
      all,
      ...others.filter((part) => part !== undefined),
      ...excesses.flatMap(({ parts }) => parts),
      ...gas,
    ]),
  }
}

/** The assets of one leg, or of two in the order of the pool. */
const assetsOf = (leg: Leg, other?: Leg, poolAsset?: Address | null): Partial<DexDepositLiquidityDetails> => {
  const [first, second] =
    other && poolAsset !== undefined && sameAsset(other.asset, poolAsset) ? [other, leg] : ([leg, other] as const)
  return {
    asset_1: first.asset,
    amount_1: first.amount,
    user_jetton_wallet_1: first.wallet,
    asset_2: second?.asset ?? null,
    amount_2: second?.amount ?? null,
    user_jetton_wallet_2: second?.wallet ?? null,
  }
}

const told = (btype: string, leg: Leg, pool: Address | null, more: Partial<DexDepositLiquidityDetails>) =>
  depositTold(
    btype,
    {
      dex: 'dedust',
      source: leg.owner,
      pool,
      destination_liquidity: leg.account,
      ...leg.targets,
      ...assetsOf(leg),
      ...more,
    },
    leg.account,
  )

/** Both assets have come together, and the pool has answered. */
export const dedustDeposit: Matcher = {
  name: 'DeDust deposit',
  pattern: call(CREATE_DEPOSIT, { bare: true }),
  build: (start, _match, facts): Made | undefined => {
    const leg = legAt(start)
    if (!leg?.all) return undefined
    const other = otherHalf(leg)
    const collected = collectedTargets(leg.all)
    const { failed, parts, lp_tokens_minted, vault_excesses } = outcomeOf(leg.all, facts)
    return {
      of: [...leg.parts, ...(other?.parts ?? []), ...parts],
      ...told('dedust_deposit_liquidity', leg, messageOf(leg.all).destination, {
        ...collected,
        ...assetsOf(leg, other, collected.target_asset_1),
        lp_tokens_minted,
        vault_excesses,
      }),
      failed,
    }
  },
}

/** One asset has come, and waits for the other one. */
export const dedustDepositFirstAsset: Matcher = {
  name: 'DeDust deposit of the first asset',
  pattern: call(CREATE_DEPOSIT, { bare: true }),
  build: (start): Made | undefined => {
    const leg = legAt(start)
    if (!leg || leg.all) return undefined
    return { of: leg.parts, ...told('dedust_deposit_liquidity_partial', leg, null, {}), failed: leg.failed }
  },
}
