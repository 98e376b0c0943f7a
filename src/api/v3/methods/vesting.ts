import { VESTING_CONTRACTS } from '../entity-schemas.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { addresses, flag, PAGE_ONLY, refusal } from '../param.ts'
import { answerRows, bookField } from '../row-page.ts'
import { vestingInfo } from '../serialize/vesting.ts'

const vesting = get({
  name: 'vesting',
  group: 'vesting',
  summary: 'Vesting wallets, in the order in which the index met them',
  params: {
    contract_address: addresses({ description: 'Any of these vesting wallets' }),
    wallet_address: addresses({ description: 'Any of these owners or senders' }),
    check_whitelist: flag(false, { description: 'wallet_address also means members of the whitelist' }),
    ...PAGE_ONLY,
  },
  result: VESTING_CONTRACTS,
  validate: ({ contract_address, wallet_address }) => {
    if (contract_address.length === 0 && wallet_address.length === 0)
      throw refusal('at least one of contract_address or wallet_address is required')
    if (contract_address.length > 0 && wallet_address.length > 0)
      throw refusal('only one of contract_address or wallet_address should be specified')
  },
  call: ({ contract_address, wallet_address, check_whitelist, ...page }, context: CallContext<unknown>) => {
    const filter = { contract_addresses: contract_address, wallet_addresses: wallet_address, check_whitelist }
    const index = context.index()
    return answerRows(
      context,
      'vesting_contracts',
      page,
      (part) => index.vestings(filter, part),
      vestingInfo,
      bookField,
    )
  },
})

/** Methods that tell of vesting wallets (contracts/v3.md 4.8). */
export const vestingMethods: readonly GetMethod<unknown>[] = [vesting]
