import type { EntityRecord } from '../../../model/entity-records.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import type { Row } from '../row-page.ts'

/** VestingInfo of contracts/v3.md 5.9. */
export const vestingInfo = ({ address: account, entity }: EntityRecord<'vesting'>): Row => {
  const address = rawAddressUpper(account)
  const sender_address = rawAddressUpper(entity.sender_address)
  const owner_address = rawAddressUpper(entity.owner_address)
  const whitelist = entity.whitelist.map(rawAddressUpper)
  return {
    wire: {
      address,
      start_time: entity.start_time,
      total_duration: entity.total_duration,
      unlock_period: entity.unlock_period,
      cliff_duration: entity.cliff_duration,
      sender_address,
      owner_address,
      total_amount: String(entity.total_amount),
      whitelist,
    },
    addresses: [address, sender_address, owner_address, ...whitelist],
  }
}
