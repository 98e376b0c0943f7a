import fc from 'fast-check'
import type { BatchTransfer, DetectedAccount, Entity, EntityKind, EntityOf } from '../../src/model/entities.ts'
import type { TokenContent } from '../../src/model/token-content.ts'
import type { Address } from '../../src/ton/address.ts'
import { madeHash } from './made-batch.ts'

/** Entities and transfers among a few accounts, so that they name one another. */

const ACCOUNTS = Array.from(
  { length: 9 },
  (_, i): Address => ({ workchain: i % 5 === 0 ? -1 : 0, hash: madeHash(`entity ${i}`) }),
)

/** Of the few. */
export const someAddress: fc.Arbitrary<Address> = fc.constantFrom(...ACCOUNTS)
/** Mostly one of three, so that sales hold the items that they name. */
const busyAddress = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ACCOUNTS.slice(0, 3)) }, someAddress)
/** Of the few, or one that nothing names. */
export const anyAddress: fc.Arbitrary<Address> = fc.oneof(
  { weight: 9, arbitrary: someAddress },
  { weight: 1, arbitrary: fc.nat(5).map((i): Address => ({ workchain: 0, hash: madeHash(`stranger ${i}`) })) },
)

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })

const maybeAddress = maybe(someAddress)
const addresses = fc.array(someAddress, { maxLength: 4 })
const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value))
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((value) => Buffer.from(value))
const text = fc.string({ unit: 'binary' })
const number = fc.maxSafeInteger()
/** Small ones meet each other, others go to 257 bits, both ways. */
const big = fc.oneof(
  fc.bigInt({ min: -3n, max: 5n }),
  fc.constantFrom(1n << 128n, (1n << 256n) - 1n, 1n << 256n, -(1n << 256n), 255n, 256n, -256n, -257n),
  fc.bigInt({ min: -(1n << 256n), max: 1n << 256n }),
)

const content: fc.Arbitrary<TokenContent> = fc.oneof(
  fc.record({ _: fc.constant('offchain' as const), uri: text }),
  fc.record({ _: fc.constant('onchain' as const), attributes: fc.dictionary(text, text) }),
)
const domain = fc.constantFrom('a.ton', 'b.ton', 'aa.ton', 'ä.ton', 'long-name.t.me', 'z.ton', `${'x'.repeat(300)}.ton`)

type Fields<K extends EntityKind> = { [F in Exclude<keyof EntityOf<K>, '_'>]: fc.Arbitrary<EntityOf<K>[F]> }

const FIELDS: { [K in EntityKind]: Fields<K> } = {
  jetton_master: {
    total_supply: big,
    mintable: fc.boolean(),
    admin_address: maybeAddress,
    jetton_content: content,
    jetton_wallet_code_hash: hash,
  },
  jetton_wallet: { balance: big, owner: someAddress, jetton: someAddress, mintless_is_claimed: maybe(fc.boolean()) },
  nft_collection: { next_item_index: big, owner_address: maybeAddress, collection_content: content },
  nft_item: {
    init: fc.boolean(),
    index: big,
    collection_address: maybeAddress,
    owner_address: maybe(busyAddress),
    content: fc.oneof(content, fc.record({ _: fc.constant('domain' as const), domain })),
  },
  dns_entry: {
    nft_item_owner: maybeAddress,
    domain,
    dns_next_resolver: maybeAddress,
    dns_wallet: maybeAddress,
    dns_site_adnl: maybe(hash),
    dns_storage_bag_id: maybe(hash),
    expires_at: maybe(number),
  },
  getgems_sale: {
    is_complete: fc.boolean(),
    created_at: number,
    marketplace_address: maybeAddress,
    nft_address: busyAddress,
    nft_owner_address: maybeAddress,
    full_price: big,
    marketplace_fee_address: maybeAddress,
    marketplace_fee: big,
    royalty_address: maybeAddress,
    royalty_amount: big,
  },
  getgems_auction: {
    end_flag: fc.boolean(),
    end_time: number,
    marketplace_address: maybeAddress,
    nft_address: busyAddress,
    nft_owner_address: maybeAddress,
    last_bid: big,
    last_member: maybeAddress,
    min_step: big,
    mp_fee_address: maybeAddress,
    mp_fee_factor: big,
    mp_fee_base: big,
    royalty_fee_address: maybeAddress,
    royalty_fee_factor: big,
    royalty_fee_base: big,
    max_bid: big,
    min_bid: big,
    created_at: number,
    last_bid_at: number,
    is_canceled: fc.boolean(),
  },
  telemint: {
    token_name: text,
    bidder_address: maybeAddress,
    bid: maybe(big),
    bid_ts: maybe(number),
    min_bid: maybe(big),
    end_time: maybe(number),
    beneficiary_address: maybeAddress,
    initial_min_bid: big,
    max_bid: big,
    min_bid_step: big,
    min_extend_time: big,
    duration: big,
    royalty_numerator: big,
    royalty_denominator: big,
    royalty_destination: maybeAddress,
  },
  multisig: { next_order_seqno: big, threshold: number, signers: addresses, proposers: addresses },
  multisig_order: {
    multisig_address: someAddress,
    order_seqno: big,
    threshold: number,
    sent_for_execution: fc.boolean(),
    approvals_mask: big,
    approvals_num: number,
    expiration_date: number,
    order_boc: bytes,
    signers: addresses,
  },
  vesting: {
    start_time: number,
    total_duration: number,
    unlock_period: number,
    cliff_duration: number,
    total_amount: big,
    sender_address: someAddress,
    owner_address: someAddress,
    whitelist: addresses,
  },
}

const KINDS = Object.keys(FIELDS) as EntityKind[]

const ofKind = (kind: EntityKind): fc.Arbitrary<Entity> =>
  fc.record({
    _: fc.constant(kind),
    ...(FIELDS[kind] as Record<string, fc.Arbitrary<unknown>>),
  }) as unknown as fc.Arbitrary<Entity>

/** Any entity. */
export const someEntity: fc.Arbitrary<Entity> = fc.oneof(...KINDS.map(ofKind))

/** An account with up to four kinds, or none any more; wallets and items more often than others. */
export const someDetected: fc.Arbitrary<DetectedAccount> = fc.record({
  address: someAddress,
  last_transaction_lt: fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })),
  code_hash: maybe(hash),
  data_hash: maybe(hash),
  entities: fc.uniqueArray(
    fc.oneof(
      { weight: 1, arbitrary: someEntity },
      { weight: 1, arbitrary: fc.constantFrom<EntityKind>('jetton_wallet', 'nft_item', 'getgems_sale').chain(ofKind) },
    ),
    { maxLength: 4, selector: ({ _ }) => _ },
  ),
})

/** A transfer of the transaction at some place; `account` is the wallet or item. */
export const someTransfer = (transaction: number, account: Address): fc.Arbitrary<BatchTransfer> => {
  const common = { transaction: fc.constant(transaction), aborted: fc.boolean() }
  const same = fc.constant(account)
  return fc.oneof(
    fc.record({
      ...common,
      _: fc.constant('jetton_transfer' as const),
      source: maybeAddress,
      destination: maybeAddress,
      jetton_wallet: same,
      jetton_master: someAddress,
    }),
    fc.record({
      ...common,
      _: fc.constant('jetton_burn' as const),
      owner: maybeAddress,
      jetton_wallet: same,
      jetton_master: someAddress,
    }),
    fc.record({
      ...common,
      _: fc.constant('nft_transfer' as const),
      old_owner: maybeAddress,
      new_owner: maybeAddress,
      nft_item: same,
      nft_collection: maybeAddress,
    }),
  )
}
