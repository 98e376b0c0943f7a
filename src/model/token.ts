import type { JettonMaster, JettonWallet } from './jetton.ts'
import type { NftCollection, NftItem } from './nft.ts'

/** A contract of one of the four kinds that getTokenData knows. */
export type Token = JettonMaster | JettonWallet | NftCollection | NftItem
