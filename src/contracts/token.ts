import type { Token } from '../model/token.ts'
import type { Address } from '../ton/address.ts'
import type { GetMethods } from './get-methods.ts'
import { findJettonMaster, findJettonWallet } from './jetton.ts'
import { findNftCollection, findNftItem } from './nft.ts'

/**
 * The token that a contract is, or undefined: the first kind, in this order, whose questions it answers. Throws what
 * `methods` throws.
 */
export const findToken = async (methods: GetMethods, address: Address): Promise<Token | undefined> =>
  (await findJettonMaster(methods, address)) ??
  (await findJettonWallet(methods, address)) ??
  (await findNftCollection(methods, address)) ??
  (await findNftItem(methods, address))
