import { accountIn, integerIn, needInteger, recordIn } from '../../contracts/fields.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, readJettonInternalTransfer } from '../../contracts/token-messages.ts'
import type { Matcher } from '../classify/family.ts'
import { detailsOf, messageOf } from '../classify/part.ts'
import { call, kind } from '../classify/pattern.ts'
import { COFFEE_DEPLOY, COFFEE_DEPOSITED, coffeeTaken } from './coffee-parts.ts'
import { sameAsset } from './dex-content.ts'
import { nextCall, saidBy, withAppended } from './dex-parts.ts'

const CREATE_POOL = 0xc0ffee02
const CREATE_VAULT = 0xc0ffee06
const CREATOR_REQUEST = 0xc0ffee23
const POOL_REQUEST = 0xc0ffee25
/** TEP-89, with which a vault finds the wallet of its jetton. */
const PROVIDE_WALLET_ADDRESS = 0x2c76b973
const TAKE_WALLET_ADDRESS = 0xd1735400
/** What whoever made a pool asked to be told, and what is said of that. */
const NOTIFICATION = 0xc0ffee36
const NOTIFIED = 0xb216d31f

/** A vault for an asset. */
export const coffeeCreateVault: Matcher = {
  name: 'swap.coffee vault',
  pattern: call(CREATE_VAULT, { bare: true, child: call(COFFEE_DEPLOY, { as: 'deploy' }) }),
  build: (start, match) => {
    const deploy = match.one('deploy')!
    const { source, value } = messageOf(start)
    const vault = messageOf(deploy).destination
    const asset = accountIn(saidBy(start), 'asset')
    const asked = nextCall(deploy, PROVIDE_WALLET_ADDRESS)
    const told = nextCall(asked, TAKE_WALLET_ADDRESS)
    return {
      with: [asked, told].filter((part) => part !== undefined),
      btype: 'coffee_create_vault',
      content: { type: 'coffee_create_vault', details: { source, vault, asset, value } },
      columns: { source, destination: vault, asset, value },
      failed: start.failed || deploy.failed,
    }
  },
}

/** One asset of a pool that is to be made comes to the contract that makes it. */
export const coffeeCreatePoolCreator: Matcher = {
  name: 'swap.coffee creator of a pool',
  pattern: call(CREATOR_REQUEST, { bare: true }),
  build: (start) => {
    const cause = start.previous
    const given = coffeeTaken(cause, [CREATE_POOL], 'amount')
    const deploy = nextCall(start, COFFEE_DEPLOY)
    if (!cause || !given || !deploy) return undefined
    const said = saidBy(start)
    const params = recordIn(said, 'params')
    const deposit_recipient = accountIn(recordIn(recordIn(said, 'creation_params'), 'public'), 'recipient')
    const pool_creator_contract = messageOf(deploy).destination
    const [asset_1, asset_2] = [accountIn(params, 'first'), accountIn(params, 'second')]
    const { source, source_jetton_wallet, asset, amount } = given
    return {
      of: [cause, ...withAppended([start, deploy])],
      btype: 'coffee_create_pool_creator',
      content: {
        type: 'coffee_create_pool_creator',
        details: {
          source,
          source_jetton_wallet,
          deposit_recipient,
          pool_creator_contract,
          provided_asset: asset,
          asset_1,
          asset_2,
          amount,
        },
      },
      columns: {
        source,
        source_secondary: source_jetton_wallet,
        destination: deposit_recipient,
        destination_secondary: pool_creator_contract,
        asset,
        asset2: asset_1,
        asset2_secondary: asset_2,
        amount,
      },
      failed: start.failed || deploy.failed,
    }
  },
}

/** Both assets have come, and the pool is made. */
export const coffeeCreatePool: Matcher = {
  name: 'swap.coffee pool',
  pattern: kind('coffee_create_pool_creator', { bare: true }),
  build: (start) => {
    const creator = detailsOf(start, 'coffee_create_pool_creator')!
    const request = nextCall(start, POOL_REQUEST)
    const deploy = nextCall(request, COFFEE_DEPLOY)
    if (!request || !deploy) return undefined
    const minted = nextCall(deploy, JETTON_INTERNAL_TRANSFER)
    const done = nextCall(deploy, COFFEE_DEPOSITED)
    const pool = messageOf(deploy).destination
    const said = saidBy(request)
    const initiator = accountIn(said, 'tx_initiator')
    const amounts = [needInteger(said, 'amount1'), needInteger(said, 'amount2')] as const
    const isFirst = sameAsset(creator.provided_asset, creator.asset_1)
    const other = isFirst ? creator.asset_2 : creator.asset_1
    const { source, source_jetton_wallet, provided_asset, amount } = creator
    const notice = nextCall(deploy, NOTIFICATION)
    const others = [minted, nextCall(minted, JETTON_NOTIFY), done, notice, nextCall(notice, NOTIFIED)].filter(
      (part) => part !== undefined,
    )
    return {
      of: [start, ...withAppended([request, deploy, ...others])],
      btype: 'coffee_create_pool',
      content: {
        type: 'coffee_create_pool',
        details: {
          source,
          source_jetton_wallet,
          initiator_1: isFirst ? source : initiator,
          initiator_2: isFirst ? initiator : source,
          pool,
          pool_creator_contract: creator.pool_creator_contract,
          provided_asset,
          amount,
          asset_1: provided_asset,
          asset_2: other,
          amount_1: isFirst ? amounts[0] : amounts[1],
          amount_2: isFirst ? amounts[1] : amounts[0],
          lp_tokens_minted:
            (done && integerIn(saidBy(done), 'lp_amount')) ??
            (minted && readJettonInternalTransfer(messageOf(minted).body)?.amount) ??
            null,
        },
      },
      columns: {
        source,
        source_secondary: source_jetton_wallet,
        destination: pool,
        destination_secondary: creator.pool_creator_contract,
        asset: provided_asset,
        asset2: other,
        amount,
      },
      failed: request.failed || deploy.failed,
    }
  },
}
