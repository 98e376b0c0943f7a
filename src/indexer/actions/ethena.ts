import {
  ETHENA_LOCKED_TRANSFER,
  JETTON_INTERNAL_TRANSFER,
  JETTON_MINT,
  JETTON_NOTIFY,
  readJettonInternalTransfer,
  readLockedTransfer,
} from '../../contracts/token-messages.ts'
import { JETTON_TRANSFER } from '../../contracts/transfer-bodies.ts'
import { type Address, sameAddress, tryParseAddress } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { detailsOf, messageOf } from '../classify/part.ts'
import { call, kind } from '../classify/pattern.ts'

const USDE = tryParseAddress('0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC')!
const TSUSDE = tryParseAddress('0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D')!

const provider = 'ethena' as const

const same = (a: Address | null | undefined, b: Address | null | undefined): boolean => !!a && !!b && sameAddress(a, b)

/** USDe for a vault, which has its jettons minted. */
export const ethenaDeposit: Matcher = {
  name: 'Ethena deposit',
  pattern: kind('jetton_transfer', { bare: true, child: kind('jetton_mint', { as: 'mint' }) }),
  build: (start, match) => {
    const given = detailsOf(start, 'jetton_transfer')
    const mint = match.one('mint')!
    const minted = detailsOf(mint, 'jetton_mint')
    if (!same(given?.asset, USDE) || !same(minted?.asset, TSUSDE)) return undefined
    const { sender, sender_jetton_wallet, receiver: pool, amount, asset: source_asset } = given!
    const { asset, amount: tokens_minted } = minted!
    return {
      of: [start, mint],
      btype: 'ethena_deposit',
      content: {
        type: 'stake_deposit',
        details: { provider, stake_holder: sender, pool, amount, tokens_minted, asset, source_asset },
      },
      columns: {
        source: sender,
        source_secondary: sender_jetton_wallet,
        destination: pool,
        asset,
        asset2: source_asset,
        amount,
      },
      failed: false,
    }
  },
}

/** The vault's jettons go back to their minter, and the vault has as many minted that are locked for a time. */
export const ethenaWithdrawalRequest: Matcher = {
  name: 'Ethena withdrawal request',
  pattern: call(JETTON_TRANSFER, {
    bare: true,
    child: call(JETTON_INTERNAL_TRANSFER, {
      as: 'given',
      child: call(JETTON_NOTIFY, {
        child: call(JETTON_MINT, { as: 'mint', child: call(ETHENA_LOCKED_TRANSFER, { as: 'locked' }) }),
      }),
    }),
  }),
  build: (start, match, facts) => {
    const { source: stake_holder, destination: wallet } = messageOf(start)
    const given = messageOf(match.one('given')!)
    const locked = messageOf(match.one('locked')!)
    const from = wallet && facts(wallet).jetton_wallet
    const to = locked.destination && facts(locked.destination).jetton_wallet
    const areOwn = same(from?.owner, stake_holder) && same(to?.owner, stake_holder)
    const areOfMinters = same(from?.jetton, given.destination) && same(to?.jetton, locked.source)
    const burnt = readJettonInternalTransfer(given.body)
    const minted = readLockedTransfer(locked.body)
    if (!areOwn || !areOfMinters || !burnt || !minted) return undefined
    const asset = from!.jetton
    const pool = messageOf(match.one('mint')!).source
    return {
      btype: 'ethena_withdrawal_request',
      content: {
        type: 'stake_withdrawal_request',
        details: {
          provider,
          stake_holder,
          pool,
          payout_nft: null,
          asset,
          tokens_burnt: burnt.amount,
          tokens_minted: minted.amount,
        },
      },
      columns: { source: stake_holder, source_secondary: wallet, destination: pool, asset, amount: burnt.amount },
      failed: false,
    }
  },
}
