import type { EntityRecord } from '../../../model/entity-records.ts'
import { MULTISIG_ORDERS, MULTISIGS } from '../entity-schemas.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { addresses, flag, PAGE, refusal } from '../param.ts'
import { answerRows, bookField, createNames } from '../row-page.ts'
import { multisig, multisigOrder, withOrders } from '../serialize/multisig.ts'

type Context = CallContext<unknown>
type Names = ReturnType<typeof createNames>

/** All orders of a multisig as JSON, in the order in which the index met them; null where there are none. */
const ordersText = async (
  context: Context,
  { address }: EntityRecord<'multisig'>,
  { text }: Names,
): Promise<string | null> => {
  const index = context.index()
  const all = { limit: Number.POSITIVE_INFINITY, offset: 0, sort: 'asc' } as const
  const list = await context.writer.page(
    (part) => index.multisigOrders({ multisig_addresses: [address] }, part),
    all,
    (order) => text(multisigOrder(order, { parseActions: false })),
  )
  return list.text === '[]' ? null : list.text
}

/** The texts of multisigs one by one, each with its orders. */
async function* multisigTexts(
  context: Context,
  records: AsyncIterable<EntityRecord<'multisig'>>,
  names: Names,
  include_orders: boolean,
) {
  for await (const record of records) {
    const orders = include_orders ? await ordersText(context, record, names) : null
    yield withOrders(names.text(multisig(record)), orders)
  }
}

const wallets = get({
  name: 'multisig/wallets',
  group: 'multisig',
  summary: 'Multisigs, in the order in which the index met them, with all their orders',
  params: {
    address: addresses({ description: 'Any of these multisigs' }),
    wallet_address: addresses({ description: 'Any of these signers or proposers' }),
    include_orders: flag(true, { description: 'Whether their orders are part of the answer' }),
    ...PAGE,
  },
  result: MULTISIGS,
  validate: ({ address, wallet_address }) => {
    if (address.length === 0 && wallet_address.length === 0)
      throw refusal('At least one of address or wallet_address should be specified')
  },
  call: async ({ address, wallet_address, include_orders, limit, offset, sort, cursor }, context: Context) => {
    const index = context.index()
    const filter = { addresses: address, wallet_addresses: wallet_address }
    const page = { limit, offset, sort, after: cursor }
    const names = createNames()
    const { records, end } = context.writer.records((part) => index.multisigs(filter, part), page)
    const list = await context.writer.list(multisigTexts(context, records, names, include_orders), (text) => text)
    return { text: `{"multisigs":${list},${await bookField(context, names.named)}}`, next: end() }
  },
})

const orders = get({
  name: 'multisig/orders',
  group: 'multisig',
  summary: 'Orders of multisigs, in the order in which the index met them',
  params: {
    address: addresses({ description: 'Any of these orders' }),
    multisig_address: addresses({ description: 'Of any of these multisigs' }),
    parse_actions: flag(false, { description: 'Whether their actions are read' }),
    ...PAGE,
  },
  result: MULTISIG_ORDERS,
  validate: ({ address, multisig_address }) => {
    if (address.length === 0 && multisig_address.length === 0)
      throw refusal('At least one of address or multisig_address should be specified')
  },
  call: ({ address, multisig_address, parse_actions, ...page }, context: Context) => {
    const filter = { addresses: address, multisig_addresses: multisig_address }
    const index = context.index()
    const write = (order: EntityRecord<'multisig_order'>) => multisigOrder(order, { parseActions: parse_actions })
    return answerRows(context, 'orders', page, (part) => index.multisigOrders(filter, part), write, bookField)
  },
})

/** Methods that tell of multisigs (contracts/v3.md 4.8). */
export const multisigMethods: readonly GetMethod<unknown>[] = [wallets, orders]
