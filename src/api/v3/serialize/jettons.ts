import type { EntityRecord } from '../../../model/entity-records.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import type { Row } from '../row-page.ts'
import { addressOrNull, base64, base64OrNull } from './scalars.ts'
import { tokenContent } from './token-content.ts'

/** JettonMaster of contracts/v3.md 5.7. */
export const jettonMaster = ({ entity, ...record }: EntityRecord<'jetton_master'>): Row => {
  const address = rawAddressUpper(record.address)
  const admin_address = addressOrNull(entity.admin_address)
  return {
    wire: {
      address,
      total_supply: String(entity.total_supply),
      mintable: entity.mintable,
      admin_address,
      jetton_content: tokenContent(entity.jetton_content),
      jetton_wallet_code_hash: base64(entity.jetton_wallet_code_hash),
      code_hash: base64OrNull(record.code_hash),
      data_hash: base64OrNull(record.data_hash),
      last_transaction_lt: String(record.last_transaction_lt),
    },
    addresses: [address, admin_address],
  }
}

/**
 * JettonWallet of contracts/v3.md 5.7. `mintless_info` is left out: what a wallet may still take stands in a tree outside
 * of the chain.
 */
export const jettonWallet = ({ entity, ...record }: EntityRecord<'jetton_wallet'>): Row => {
  const address = rawAddressUpper(record.address)
  const owner = rawAddressUpper(entity.owner)
  const jetton = rawAddressUpper(entity.jetton)
  return {
    wire: {
      address,
      balance: String(entity.balance),
      owner,
      jetton,
      last_transaction_lt: String(record.last_transaction_lt),
      code_hash: base64OrNull(record.code_hash),
      data_hash: base64OrNull(record.data_hash),
    },
    addresses: [address, owner, jetton],
  }
}
