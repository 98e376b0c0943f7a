import type { KnownAccount } from '../../model/known-account.ts'
import { type Address, sameAddress, tryParseAddress } from '../../ton/address.ts'

const CONTENT_HOST = 'https://nft.fragment.com'
/** The collection of usernames. */
const USERNAMES: Address = tryParseAddress('0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2')!

const uriOf = ({ content }: NonNullable<KnownAccount['nft_item']>): string | undefined => {
  if (content._ === 'offchain') return content.uri
  return content._ === 'onchain' ? content.attributes['uri'] : undefined
}

/** True for the items that are auctioned by themselves: usernames, numbers and gifts. */
export const isTeleitem = (item: NonNullable<KnownAccount['nft_item']>): boolean =>
  uriOf(item)?.startsWith(CONTENT_HOST) === true ||
  (item.collection_address !== null && sameAddress(item.collection_address, USERNAMES))
