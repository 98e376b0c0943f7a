import { findToken } from '../contracts/token.ts'
import type { Token } from '../model/token.ts'
import type { Address } from '../ton/address.ts'
import type { Chain } from './chain.ts'
import { type GetMethodsQuery, getMethodsAt } from './get-methods.ts'

/**
 * The token that a contract is, at a masterchain block; undefined for every other account. Throws what reading the chain
 * and running the TVM throw.
 */
export const readToken = async (chain: Chain, address: Address, query: GetMethodsQuery): Promise<Token | undefined> =>
  findToken(await getMethodsAt(chain, query), address)
