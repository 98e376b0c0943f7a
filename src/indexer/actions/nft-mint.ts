import type { Matcher } from '../classify/family.ts'
import { isDeployment } from '../classify/node.ts'
import { where } from '../classify/pattern.ts'

/** An NFT item that comes into being. */
export const nftMint: Matcher = {
  name: 'NFT mint',
  pattern: where((part) => part.nodes.some(isDeployment), { bare: true }),
  begins: { deployments: true },
  build: (start, _match, facts) => {
    const { message, transaction } = start.nodes[0]!
    const { account } = transaction
    const item = facts(account).nft_item
    if (!item) return undefined
    const source = message?.source ?? null
    return {
      of: [start],
      btype: 'nft_mint',
      content: {
        type: 'nft_mint',
        details: {
          owner: item.owner_address ?? source,
          nft_item: account,
          nft_collection: item.collection_address,
          nft_item_index: item.index,
        },
      },
      columns: {
        source,
        destination: account,
        asset: item.collection_address,
        asset_secondary: account,
        opcode: message?.opcode ?? null,
      },
      failed: start.failed,
    }
  },
}
