import { NFT_TRANSFER } from '../../contracts/transfer-bodies.ts'
import type { Address } from '../../ton/address.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { type InitialState, initCell } from '../../ton/external-message.ts'
import { snakeCell } from '../../ton/snake.ts'
import { storeStdAddress } from '../../ton/tlb/msg-address.ts'
import { NFT_COLLECTION_CODE, NFT_ITEM_CODE } from './codes.ts'
import { onchainContent } from './token-content.ts'
import { DEV_WALLETS } from './wallets.ts'

const MINT = 1
const ROYALTY_PERCENT = 5

const owner = DEV_WALLETS[0]!.address

/**
 * The collection's own content is on-chain. That of an item is what stands here, then what the item has of its own: this
 * contract can only name an address, so the address holds the document itself.
 */
const content = beginCell()
  .ref(onchainContent({ name: 'Dev Items', description: 'A collection of the dev network. It is worth nothing.' }))
  .ref(snakeCell(Buffer.from('data:application/json;base64,')))
  .endCell()

const init: InitialState = {
  code: NFT_COLLECTION_CODE,
  data: storeStdAddress(beginCell(), owner)
    .uint(0, 64)
    .ref(content)
    .ref(NFT_ITEM_CODE)
    .ref(storeStdAddress(beginCell().uint(ROYALTY_PERCENT, 16).uint(100, 16), owner).endCell())
    .endCell(),
}

/** The NFT collection of the dev network; the first wallet owns it. */
export const COLLECTION: { address: Address; init: InitialState } = {
  address: { workchain: 0, hash: initCell(init).hash() },
  init,
}

/** The account of the item with this index (uint64). */
export const itemAddress = (index: bigint): Address => {
  const data = storeStdAddress(beginCell().uint(index, 64), COLLECTION.address).endCell()
  return { workchain: 0, hash: initCell({ code: NFT_ITEM_CODE, data }).hash() }
}

/** What an item has of its own: its document, the rest of the address that the collection begins. */
const itemContent = (index: bigint): Cell => {
  const document = {
    name: `Dev Item #${index}`,
    description: 'An item of the dev network.',
    attributes: [{ trait_type: 'Parity', value: index % 2n === 0n ? 'even' : 'odd' }],
  }
  return snakeCell(Buffer.from(Buffer.from(JSON.stringify(document)).toString('base64')))
}

/**
 * The owner's order to the collection: a new item, whose index is the next one.
 * @param value nano-units that go on to the item, for its storage
 */
export const mintItemBody = (index: bigint, to: Address, value: bigint): Cell =>
  beginCell()
    .uint(MINT, 32)
    .uint(0, 64)
    .uint(index, 64)
    .coins(value)
    .ref(storeStdAddress(beginCell(), to).ref(itemContent(index)).endCell())
    .endCell()

/** TEP-62 transfer; the excess comes back to the sender. `forward` in nano-units. */
export const transferItemBody = (from: Address, to: Address, forward: bigint): Cell => {
  const builder = beginCell().uint(NFT_TRANSFER, 32).uint(0, 64)
  return storeStdAddress(storeStdAddress(builder, to), from).bit(false).coins(forward).bit(false).endCell()
}
