import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const NOTHING = factsOf({})
const WALLET = 1
const VAULT = 2
const POOL = 3
const FACTORY = 4
const DEPOSIT = 5
const JETTON = 9

const storeTon = (builder: Builder): Builder => builder.uint(0, 4)
const storeJetton = (builder: Builder): Builder => builder.uint(1, 4).int(0, 8).bytes(accountNo(JETTON).hash)
const poolParams = (builder: Builder): Builder => storeJetton(storeTon(builder.bit(false)))
const proof = (kind: number, params: (builder: Builder) => Builder) =>
  params(storeAccount(beginCell(), FACTORY).uint(kind, 8)).endCell()
const swapParams = storeAccount(storeAccount(beginCell().uint(0, 32), WALLET), WALLET)
  .bit(false)
  .bit(false)
  .endCell()
const lastStep = (builder: Builder): Builder => builder.bit(false).coins(1n).bit(false)

const event: MadeMessage = {
  to: null,
  body: storeJetton(storeTon(beginCell().uint(0x9c610de3, 32)))
    .coins(1000n)
    .coins(40n)
    .endCell(),
}

/** A swap of TON in one pool, which has a vault pay TON. */
const swap = (events: readonly MadeMessage[]) => {
  const paid: MadeMessage = { to: WALLET, value: 1500n, body: query(0x474f86cf).bit(false).endCell() }
  const payOut = storeAccount(query(0xad4eb6f5).ref(proof(2, poolParams)).coins(1000n), WALLET)
    .bit(false)
    .endCell()
  const external = storeAccount(query(0x61ee542d).ref(proof(1, storeTon)).coins(1000n), WALLET)
  const asked = lastStep(storeAccount(query(0xea06185d).coins(1000n), POOL))
    .ref(swapParams)
    .endCell()
  return madeTrace({
    to: WALLET,
    sends: [
      {
        to: VAULT,
        value: 2000n,
        body: asked,
        sends: [
          {
            to: POOL,
            body: lastStep(external).ref(swapParams).endCell(),
            sends: [...events, { to: VAULT, body: payOut, sends: [paid] }],
          },
        ],
      },
    ],
  })
}

describe('a swap on DeDust', () => {
  test('gives what the pool paid', () => {
    const { content, success } = onlyAction(swap([event]), NOTHING, 'jetton_swap')
    expect(success).toBe(true)
    expect(content.details).toMatchObject({ asset_in: null, asset_out: accountNo(JETTON), peer_swaps: [] })
  })
  test('failed when the pool tells nothing of it; the asset asked for is the other one of the pool', () => {
    const { content, success } = onlyAction(swap([]), NOTHING, 'jetton_swap')
    expect(success).toBe(false)
    expect(content.details).toMatchObject({
      asset_in: null,
      asset_out: accountNo(JETTON),
      dex_incoming_transfer: { amount: 1000n, source: accountNo(WALLET), destination: accountNo(VAULT) },
      dex_outgoing_transfer: { amount: 1000n, asset: null, destination: accountNo(WALLET) },
    })
  })
})

/** An asset on its way to the contract that collects two. */
const leg = (store: (builder: Builder) => Builder, amount: bigint, sends: readonly MadeMessage[] = []): MadeMessage => {
  const targets = beginCell().coins(1n).coins(10n).coins(20n).endCell()
  const created = storeAccount(query(0xf04ec526).ref(proof(1, storeTon)), WALLET)
  return {
    to: VAULT,
    body: poolParams(query(0xd55e4686).coins(amount)).ref(targets).bit(false).bit(false).endCell(),
    sends: [
      {
        to: FACTORY,
        body: poolParams(created).ref(beginCell().endCell()).bit(false).bit(false).endCell(),
        sends: [{ to: DEPOSIT, body: store(query(0x54240fe5)).coins(amount).endCell(), sends }],
      },
    ],
  }
}

const assets = storeJetton(storeTon(beginCell()).coins(11n)).coins(22n).endCell()
const all: MadeMessage = {
  to: POOL,
  body: storeAccount(query(0xb56b9598).ref(proof(2, poolParams)), WALLET)
    .coins(1n)
    .ref(assets)
    .bit(false)
    .bit(false)
    .endCell(),
}

describe('liquidity for DeDust', () => {
  test('waits for the other asset', () => {
    const { content, columns } = onlyAction(
      madeTrace({ to: WALLET, sends: [leg(storeTon, 11n)] }),
      NOTHING,
      'dex_deposit_liquidity',
    )
    expect(columns.destination).toBeNull()
    expect(content.details).toMatchObject({ amount_1: 11n, amount_2: null, target_amount_1: 10n, target_amount_2: 20n })
  })
  test('of both assets in one trace is one deposit, in the order of the pool', () => {
    const trace = madeTrace({ to: WALLET, sends: [leg(storeJetton, 22n, [all]), leg(storeTon, 11n)] })
    expect(toldTypes(trace, NOTHING)).toEqual(['dex_deposit_liquidity'])
    expect(onlyAction(trace, NOTHING, 'dex_deposit_liquidity').content.details).toMatchObject({
      asset_1: null,
      amount_1: 11n,
      asset_2: accountNo(JETTON),
      amount_2: 22n,
      pool: accountNo(POOL),
    })
  })
  test('stays apart where it is not clear which halves belong together', () => {
    const legs = [leg(storeJetton, 22n, [all]), leg(storeTon, 11n), leg(storeTon, 11n)]
    expect(toldTypes(madeTrace({ to: WALLET, sends: legs }), NOTHING)).toHaveLength(3)
  })
  test('is rejected by the pool', () => {
    const rejected = { to: DEPOSIT, body: query(0xe1a36cd4).ref(proof(2, poolParams)).bit(false).endCell() }
    const trace = madeTrace({ to: WALLET, sends: [leg(storeJetton, 22n, [{ ...all, sends: [rejected] }])] })
    expect(toldTypes(trace, NOTHING)).toEqual(['dex_deposit_liquidity failed'])
  })
})
