import type { DnsZone } from '../contracts/dns-item.ts'
import type { GetMethods } from '../contracts/get-methods.ts'
import { getgemsEntity } from '../contracts/getgems.ts'
import { jettonMasterEntity, jettonWalletEntity } from '../contracts/jetton.ts'
import { knownWalletData } from '../contracts/jetton-wallet-layouts.ts'
import { multisigEntity, multisigOrderEntity } from '../contracts/multisig.ts'
import { nftCollectionEntity, nftItemEntities } from '../contracts/nft.ts'
import { telemintEntity } from '../contracts/telemint.ts'
import { isVestingCode, vestingEntity } from '../contracts/vesting.ts'
import type { BatchAccount } from '../model/batch.ts'
import type { Entity, EntityKind, EntityOf } from '../model/entities.ts'
import type { EntityRecord } from '../model/entity-records.ts'
import { sameAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'

/** What is known beforehand of an account that is detected. */
export interface KnownAccount {
  /** Its rows as they are stored, if they are of the code that it has now. */
  stored: readonly EntityRecord<EntityKind>[]
  /** Its data whole. */
  data(): Cell | null
  zones(): Promise<readonly DnsZone[]>
}

const storedOf = <K extends EntityKind>({ stored }: KnownAccount, kind: K): EntityOf<K> | undefined =>
  stored.find(({ entity }) => entity._ === kind)?.entity as EntityOf<K> | undefined

const isTrustedWallet = (known: KnownAccount) => {
  const stored = storedOf(known, 'jetton_wallet')
  return ({ owner, jetton }: Pick<EntityOf<'jetton_wallet'>, 'owner' | 'jetton'>): boolean =>
    stored !== undefined && sameAddress(stored.owner, owner) && sameAddress(stored.jetton, jetton)
}

const isTrustedItem = (known: KnownAccount) => {
  const stored = storedOf(known, 'nft_item')
  return ({ collection, index }: { collection: BatchAccount['address']; index: bigint }): boolean =>
    stored?.collection_address != null && sameAddress(stored.collection_address, collection) && stored.index === index
}

const isTrustedOrder = (known: KnownAccount) => {
  const stored = storedOf(known, 'multisig_order')
  return ({ multisig_address, order_seqno }: Pick<EntityOf<'multisig_order'>, 'multisig_address' | 'order_seqno'>) =>
    stored !== undefined && sameAddress(stored.multisig_address, multisig_address) && stored.order_seqno === order_seqno
}

/** The wallet's data without running it; the root of the data is enough for that. */
const walletDataOf = ({ code_hash }: Pick<BatchAccount, 'code_hash'>, known: KnownAccount) => {
  const data = code_hash && known.data()
  return data ? knownWalletData(code_hash, data) : undefined
}

/**
 * All that a contract is (contracts/v3.md 12). Whether its parent knows it is not asked where the stored row says so of the
 * same code and the same place. Throws what `methods` throws.
 */
export const detectAccount = async (
  methods: GetMethods,
  account: Pick<BatchAccount, 'address' | 'code_hash'>,
  known: KnownAccount,
): Promise<Entity[]> => {
  const { address, code_hash } = account
  const wallet = walletDataOf(account, known)
  if (wallet) {
    const entity = await jettonWalletEntity(methods, address, { data: wallet, isTrusted: isTrustedWallet(known) })
    return entity ? [entity] : []
  }
  const items = await nftItemEntities(methods, address, { isTrusted: isTrustedItem(known), zones: known.zones })
  const found: (Entity | undefined)[] = [
    await jettonMasterEntity(methods, address),
    await jettonWalletEntity(methods, address, { data: undefined, isTrusted: isTrustedWallet(known) }),
    await nftCollectionEntity(methods, address),
    ...items,
    await getgemsEntity(methods, address),
    await telemintEntity(methods, address),
    await multisigEntity(methods, address),
    await multisigOrderEntity(methods, address, isTrustedOrder(known)),
    code_hash && isVestingCode(code_hash) ? await vestingEntity(methods, address) : undefined,
  ]
  return found.filter((entity) => entity !== undefined)
}
