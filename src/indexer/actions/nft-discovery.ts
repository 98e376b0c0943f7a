import { accountIn, needInteger } from '../../contracts/fields.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'

const GET_STATIC_DATA = 0x2fcb26a2
const REPORT_STATIC_DATA = 0x8b771735

/** TEP-62: an item that tells which collection it is of. */
export const nftDiscovery: Matcher = {
  name: 'NFT that tells what it is',
  pattern: call(GET_STATIC_DATA, { bare: true, child: call(REPORT_STATIC_DATA, { as: 'report' }) }),
  build: (start, match) => {
    const { source, destination: nft_item } = messageOf(start)
    const report = match.one('report')!
    const said = report.nodes[0]!.said()
    const nft_collection = accountIn(said, 'collection')
    return {
      btype: 'nft_discovery',
      content: {
        type: 'nft_discovery',
        details: { source, nft_item, nft_collection, nft_item_index: needInteger(said, 'index') },
      },
      columns: { source, asset: nft_collection, asset_secondary: nft_item },
      failed: start.failed,
    }
  },
}
