import { JETTON_BURNS, JETTON_MASTERS, JETTON_TRANSFERS, JETTON_WALLETS } from '../entity-schemas.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { address, addresses, flag, optionalSort, PAGE, PAGE_ONLY, refusal, transferDirection } from '../param.ts'
import { answerRows } from '../row-page.ts'
import { jettonMaster, jettonWallet } from '../serialize/jettons.ts'
import { jettonBurn, jettonTransfer } from '../serialize/transfers.ts'
import { owners, transferWindow } from './transfer-params.ts'

type Context = CallContext<unknown>

const masters = get({
  name: 'jetton/masters',
  group: 'jettons',
  summary: 'Jetton masters, in the order in which the index met them',
  params: {
    address: addresses({ description: 'Any of these masters' }),
    admin_address: addresses({ description: 'Any of these admins' }),
    ...PAGE_ONLY,
  },
  result: JETTON_MASTERS,
  call: ({ address, admin_address, ...page }, context: Context) => {
    const filter = { addresses: address, admin_addresses: admin_address }
    const index = context.index()
    return answerRows(context, 'jetton_masters', page, (part) => index.jettonMasters(filter, part), jettonMaster)
  },
})

const wallets = get({
  name: 'jetton/wallets',
  group: 'jettons',
  summary:
    'Jetton wallets, in the order in which the index met them or by balance; by address, by owner, by jetton first where those are filtered',
  params: {
    address: addresses({ description: 'Any of these wallets' }),
    owner_address: addresses({ description: 'Any of these owners' }),
    jetton_address: addresses({ description: 'Any of these masters; several only with exactly one owner' }),
    exclude_zero_balance: flag(false, { description: 'Without empty wallets' }),
    limit: PAGE.limit,
    offset: PAGE.offset,
    sort: optionalSort('By balance, asc or desc; not sent, in the order in which the index met them'),
    cursor: PAGE.cursor,
  },
  result: JETTON_WALLETS,
  validate: ({ owner_address, jetton_address }) => {
    if (jetton_address.length > 1 && owner_address.length !== 1)
      throw refusal('exact one owner_address required for multiple jetton_address')
  },
  call: ({ address, owner_address, jetton_address, exclude_zero_balance, ...page }, context: Context) => {
    const filter = {
      addresses: address,
      owner_addresses: owner_address,
      jetton_addresses: jetton_address,
      exclude_zero_balance,
      by_balance: page.sort !== undefined,
    }
    const index = context.index()
    return answerRows(
      context,
      'jetton_wallets',
      page,
      index.pages.jettonWallets(filter, page.sort ?? 'asc'),
      jettonWallet,
    )
  },
})

const transfers = get({
  name: 'jetton/transfers',
  group: 'jettons',
  summary: 'Jetton transfers that were asked for and not aborted; by lt, or by time where time is filtered',
  params: {
    owner_address: owners('Any of these senders or receivers'),
    jetton_wallet: addresses({ description: "Any of these senders' wallets" }),
    jetton_master: address({ description: 'Master' }),
    direction: transferDirection('With owners: in, to them; out, from them'),
    ...transferWindow,
    ...PAGE,
  },
  result: JETTON_TRANSFERS,
  call: ({ owner_address, jetton_wallet, limit, offset, sort, cursor, ...rest }, context: Context) => {
    const filter = { ...rest, owner_addresses: owner_address, jetton_wallets: jetton_wallet }
    const page = { limit, offset, sort, cursor }
    const index = context.index()
    return answerRows(context, 'jetton_transfers', page, index.pages.jettonTransfers(filter, sort), jettonTransfer)
  },
})

const burns = get({
  name: 'jetton/burns',
  group: 'jettons',
  summary: 'Jetton burns that were asked for, aborted ones too; by lt, or by time where time is filtered',
  params: {
    owner_address: owners('Any of these owners'),
    jetton_wallet: addresses({ description: 'Any of these wallets' }),
    jetton_master: address({ description: 'Master' }),
    ...transferWindow,
    ...PAGE,
  },
  result: JETTON_BURNS,
  call: ({ owner_address, jetton_wallet, limit, offset, sort, cursor, ...rest }, context: Context) => {
    const filter = { ...rest, owner_addresses: owner_address, jetton_wallets: jetton_wallet }
    const page = { limit, offset, sort, cursor }
    const index = context.index()
    return answerRows(context, 'jetton_burns', page, index.pages.jettonBurns(filter, sort), jettonBurn)
  },
})

/** Methods that tell of jettons (contracts/v3.md 4.6). */
export const jettonMethods: readonly GetMethod<unknown>[] = [masters, wallets, transfers, burns]
