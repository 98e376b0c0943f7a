import type { GetgemsAuctionEntity, GetgemsSaleEntity } from '../model/entities.ts'
import type { Address } from '../ton/address.ts'
import type { StackValue } from '../ton/stack.ts'
import {
  addressAt,
  flagAt,
  type GetMethods,
  intAt,
  numberAt,
  readAnswer,
  requiredAddressAt,
  uintAt,
} from './get-methods.ts'

type Stack = readonly StackValue[]

/** What get_sale_data of a sale (`FIXP`) and of an auction (`AUC`) begins with. */
const FIXED_PRICE = 0x46495850n
const AUCTION = 0x415543n

/** The fourth version tells fees in 1/100000 of the price. */
const PERCENT_BASE = 100_000n

const optionalAddressAt = (stack: Stack, index: number): Address | null => addressAt(stack, index) ?? null

const readSale = (stack: Stack): GetgemsSaleEntity => ({
  _: 'getgems_sale',
  is_complete: flagAt(stack, 1),
  created_at: numberAt(stack, 2),
  marketplace_address: optionalAddressAt(stack, 3),
  nft_address: requiredAddressAt(stack, 4),
  nft_owner_address: optionalAddressAt(stack, 5),
  full_price: uintAt(stack, 6),
  marketplace_fee_address: optionalAddressAt(stack, 7),
  marketplace_fee: uintAt(stack, 8),
  royalty_address: optionalAddressAt(stack, 9),
  royalty_amount: uintAt(stack, 10),
})

const readSaleV4 = (stack: Stack): GetgemsSaleEntity => {
  const full_price = uintAt(stack, 5)
  intAt(stack, 10)
  intAt(stack, 11)
  return {
    _: 'getgems_sale',
    is_complete: flagAt(stack, 0),
    created_at: numberAt(stack, 1),
    marketplace_address: optionalAddressAt(stack, 2),
    nft_address: requiredAddressAt(stack, 3),
    nft_owner_address: optionalAddressAt(stack, 4),
    full_price,
    marketplace_fee_address: optionalAddressAt(stack, 6),
    marketplace_fee: (full_price * uintAt(stack, 7)) / PERCENT_BASE,
    royalty_address: optionalAddressAt(stack, 8),
    royalty_amount: (full_price * uintAt(stack, 9)) / PERCENT_BASE,
  }
}

/** Both versions of an auction tell the same after their first entry: the magic, or whether it was initialised. */
const readAuction = (stack: Stack): GetgemsAuctionEntity => ({
  _: 'getgems_auction',
  end_flag: flagAt(stack, 1),
  end_time: numberAt(stack, 2),
  marketplace_address: optionalAddressAt(stack, 3),
  nft_address: requiredAddressAt(stack, 4),
  nft_owner_address: optionalAddressAt(stack, 5),
  last_bid: uintAt(stack, 6),
  last_member: optionalAddressAt(stack, 7),
  min_step: uintAt(stack, 8),
  mp_fee_address: optionalAddressAt(stack, 9),
  mp_fee_factor: uintAt(stack, 10),
  mp_fee_base: uintAt(stack, 11),
  royalty_fee_address: optionalAddressAt(stack, 12),
  royalty_fee_factor: uintAt(stack, 13),
  royalty_fee_base: uintAt(stack, 14),
  max_bid: uintAt(stack, 15),
  min_bid: uintAt(stack, 16),
  created_at: numberAt(stack, 17),
  last_bid_at: numberAt(stack, 18),
  is_canceled: flagAt(stack, 19),
})

const readAuctionV4 = (stack: Stack): GetgemsAuctionEntity => {
  flagAt(stack, 0)
  intAt(stack, 25)
  return readAuction(stack)
}

const isOf = (stack: Stack | undefined, magic: bigint): boolean =>
  stack?.[0]?._ === 'vm_stk_int' && stack[0].value === magic

/**
 * The sale or auction of getgems and of those who built on it that a contract is (contracts/v3.md 12), or undefined. Other
 * contracts have a get_sale_data of another form. Throws what `methods` throws.
 */
export const getgemsEntity = async (
  methods: GetMethods,
  address: Address,
): Promise<GetgemsSaleEntity | GetgemsAuctionEntity | undefined> => {
  const sale = await methods.run(address, 'get_fix_price_data_v4')
  if (sale) return readAnswer(methods, sale, readSaleV4)
  const auction = await methods.run(address, 'get_auction_data_v4')
  if (auction) return readAnswer(methods, auction, readAuctionV4)
  const data = await methods.run(address, 'get_sale_data')
  if (isOf(data, FIXED_PRICE)) return readAnswer(methods, data, readSale)
  return isOf(data, AUCTION) ? readAnswer(methods, data, readAuction) : undefined
}
