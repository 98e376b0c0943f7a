import { needInteger } from '../../contracts/fields.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'

const UPDATE_SALE = 0x6c6c2080

/** A known sale whose price changes. */
export const nftUpdateSale: Matcher = {
  name: 'price of a sale',
  pattern: call(UPDATE_SALE, { bare: true }),
  build: (start, _match, facts) => {
    const { source, destination: sale_contract } = messageOf(start)
    const sale = sale_contract && facts(sale_contract).getgems_sale
    if (!sale) return undefined
    const asked = start.nodes[0]!.said()
    return {
      btype: 'nft_update_sale',
      content: {
        type: 'nft_update_sale',
        details: {
          source,
          sale_contract,
          nft_address: sale.nft_address,
          marketplace_address: sale.marketplace_address,
          marketplace: 'getgems',
          full_price: needInteger(asked, 'new_full_price'),
          marketplace_fee: needInteger(asked, 'new_marketplace_fee'),
          royalty_amount: needInteger(asked, 'new_royalty_amount'),
        },
      },
      columns: { source, destination: sale_contract, asset_secondary: sale.nft_address },
      failed: start.nodes[0]!.failed,
    }
  },
}
