import { describe, expect, test } from 'bun:test'
import type { KnownAccount } from '../../../../src/model/known-account.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, saying, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const OWNER = 1
const ITEM = 2
const TRADE = 3
const MARKET = 4
const item = (uri: string): KnownAccount => ({
  nft_item: { index: 9n, collection_address: accountNo(8), owner_address: null, content: { _: 'offchain', uri } },
})
const trade = {
  nft_address: accountNo(ITEM),
  nft_owner_address: accountNo(OWNER),
  marketplace_address: accountNo(MARKET),
}
const SALE = factsOf({
  [ITEM]: item(''),
  [TRADE]: { getgems_sale: { ...trade, full_price: 100n, marketplace_fee: 5n, royalty_amount: 6n } },
})
const AUCTION = factsOf({
  [ITEM]: item(''),
  [TRADE]: {
    getgems_auction: { ...trade, last_bid: 70n, max_bid: 90n, min_bid: 10n, mp_fee_factor: 5n, mp_fee_base: 100n },
  },
})
const USERNAME = factsOf({ [ITEM]: item('https://nft.fragment.com/username/abc.json') })

const moveTo = (owner: number, sends: MadeMessage[] = []): MadeMessage => ({
  to: ITEM,
  body: storeAccount(storeAccount(query(0x5fcc3d14), owner), OWNER)
    .bit(false)
    .coins(1n)
    .bit(false)
    .endCell(),
  sends,
})

describe('an item is put up', () => {
  const assigned = query(0x05138d91)
  const listing = madeTrace({
    to: OWNER,
    sends: [
      moveTo(MARKET, [
        {
          to: MARKET,
          body: storeAccount(assigned, OWNER).bit(false).endCell(),
          sends: [{ to: TRADE, deploys: true, value: 2n }, moveTo(TRADE)],
        },
      ]),
    ],
  })

  test('for sale', () => {
    expect(onlyAction(listing, SALE, 'nft_put_on_sale').content.details).toEqual({
      nft_collection: accountNo(8),
      nft_item: accountNo(ITEM),
      nft_item_index: 9n,
      owner: accountNo(OWNER),
      listing_address: accountNo(MARKET),
      sale_address: accountNo(TRADE),
      marketplace_address: accountNo(MARKET),
      full_price: 100n,
      marketplace_fee: 5n,
      royalty_amount: 6n,
      marketplace_fee_address: null,
      royalty_address: null,
      marketplace: 'getgems',
    })
  })

  test('for auction', () => {
    expect(onlyAction(listing, AUCTION, 'nft_put_on_auction').content.details).toMatchObject({
      auction_address: accountNo(TRADE),
      max_bid: 90n,
      min_bid: 10n,
      marketplace_fee_factor: 5n,
    })
  })

  test('by itself, where it is a username', () => {
    const config = storeAccount(beginCell(), 7).coins(11n).coins(0n).uint(5, 8).uint(3600, 32).uint(86400, 32).endCell()
    const trace = madeTrace({ to: OWNER, sends: [{ to: ITEM, body: query(0x487a8e81).ref(config).endCell() }] })
    expect(onlyAction(trace, USERNAME, 'teleitem_start_auction').content.details).toMatchObject({
      min_bid: 11n,
      marketplace_fee_address: accountNo(7),
      auction_address: accountNo(ITEM),
    })
    const cancel = madeTrace({ to: OWNER, sends: [{ to: ITEM, body: query(0x371638ae).endCell() }] })
    expect(toldTypes(cancel, USERNAME)).toContain('teleitem_cancel_auction')
    expect(toldTypes(cancel, SALE)).toEqual(['call_contract'])
  })
})

describe('a bid', () => {
  const bid = (to: number, sends: MadeMessage[] = [], body?: MadeMessage['body']) =>
    madeTrace({ to: 5, sends: [{ to, value: 80n, sends, ...(body ? { body } : {}) }] })

  test('is TON for an auction', () => {
    expect(onlyAction(bid(TRADE), AUCTION, 'auction_bid').content.details).toEqual({
      amount: 80n,
      bidder: accountNo(5),
      auction: accountNo(TRADE),
      nft_item: accountNo(ITEM),
      nft_collection: accountNo(8),
      nft_item_index: 9n,
    })
    expect(toldTypes(bid(TRADE, [], saying('cancel')), AUCTION)).toEqual(['ton_transfer'])
    expect(toldTypes(bid(ITEM), USERNAME)).toEqual(['auction_bid'])
    expect(toldTypes(bid(ITEM), SALE)).toEqual(['ton_transfer'])
  })

  test('gives the one before back', () => {
    const refund = { to: 6, value: 70n, body: saying('Your bid has been outbid by another user.') }
    const trace = bid(TRADE, [refund, { to: MARKET, value: 1n }])
    expect(onlyAction(trace, AUCTION, 'auction_outbid').content.details).toMatchObject({
      bidder: accountNo(6),
      new_bidder: accountNo(5),
      amount: 70n,
      marketplace: 'getgems',
      comment: 'Your bid has been outbid by another user.',
    })
    expect(toldTypes(trace, AUCTION)).toContain('auction_bid')
    expect(toldTypes(bid(TRADE, [{ to: 6, value: 70n }]), AUCTION)).toEqual(['auction_bid', 'ton_transfer'])
    const outbid = { to: 6, value: 70n, body: query(0x557cea20).endCell() }
    expect(onlyAction(bid(ITEM, [outbid]), USERNAME, 'auction_outbid').content.details).toMatchObject({
      marketplace: 'fragment',
      comment: null,
    })
  })
})

describe('a trade ends', () => {
  const asked = (body: MadeMessage['body'], sends: MadeMessage[]) =>
    madeTrace({ to: 5, sends: [{ to: TRADE, value: 3n, body: body!, sends }] })

  test('when its owner takes the item back', () => {
    const sale = asked(query(3).endCell(), [moveTo(OWNER)])
    expect(
      toldTypes(sale, SALE)
        .filter((type) => type !== 'call_contract')
        .sort(),
    ).toEqual(['nft_cancel_sale', 'nft_transfer'])
    const auction = asked(saying('cancel'), [moveTo(OWNER)])
    expect(onlyAction(auction, AUCTION, 'nft_cancel_auction').content.details).toEqual({
      owner: accountNo(OWNER),
      nft_item: accountNo(ITEM),
      nft_collection: accountNo(8),
      auction_address: accountNo(TRADE),
      marketplace_address: accountNo(MARKET),
      marketplace: 'getgems',
    })
  })

  test('when the winner gets the item', () => {
    const trace = asked(saying('finish'), [moveTo(6), { to: OWNER, value: 60n }])
    const types = toldTypes(trace, AUCTION)
    expect(types).toContain('nft_finish_auction')
    expect(types).toContain('nft_purchase')
    const called = asked(query(0x20c9eb18).endCell(), [moveTo(6)])
    expect(onlyAction(called, AUCTION, 'nft_finish_auction').content.details).toMatchObject({ owner: accountNo(6) })
    expect(onlyAction(called, AUCTION, 'nft_transfer').content.details).toMatchObject({ is_purchase: true, price: 70n })
  })

  test('when who gets the item paid for it', () => {
    const sold = asked(saying('buy'), [moveTo(5), { to: OWNER, value: 60n }])
    expect(onlyAction(sold, SALE, 'nft_purchase').content.details).toMatchObject({ price: 100n, payout_amount: 60n })
    for (const given of [asked(saying('buy'), [moveTo(6)]), asked(query(0x22b).endCell(), [moveTo(5)])]) {
      const { details } = onlyAction(given, SALE, 'nft_transfer').content
      expect(details).toMatchObject({ is_purchase: false, price: null, marketplace: null })
    }
  })

  test('or goes on at another price', () => {
    const body = query(0x6c6c2080).coins(200n).coins(7n).coins(8n).endCell()
    expect(onlyAction(asked(body, []), SALE, 'nft_update_sale').content.details).toMatchObject({
      full_price: 200n,
      marketplace_fee: 7n,
      royalty_amount: 8n,
    })
  })
})

test('an item tells its collection', () => {
  const report = storeAccount(query(0x8b771735).uint(9n, 256), 8).endCell()
  const body = query(0x2fcb26a2).endCell()
  const trace = madeTrace({ to: 5, sends: [{ to: ITEM, body, sends: [{ to: 5, body: report }] }] })
  expect(onlyAction(trace, SALE, 'nft_discovery').content.details).toEqual({
    source: accountNo(5),
    nft_item: accountNo(ITEM),
    nft_collection: accountNo(8),
    nft_item_index: 9n,
  })
})
