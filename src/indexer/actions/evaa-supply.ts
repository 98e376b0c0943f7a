import {
  EVAA_OPS,
  readEvaaJettonSupply,
  readEvaaSupplied,
  readEvaaSupply,
  suppliedAsset,
} from '../../contracts/evaa-messages.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, kind, type Match, oneOf, only } from '../classify/pattern.ts'
import { carries, command, commandIn, idText, rest } from './evaa-parts.ts'

/** The user's contract takes what was supplied, or has it given back. */
const outcome = command(EVAA_OPS.supply_user, {
  as: 'user',
  child: oneOf(
    call(EVAA_OPS.supply_success, { as: 'success', child: rest }),
    call(EVAA_OPS.supply_fail, { as: 'fail' }),
    kind('jetton_transfer', { as: 'fail' }),
  ),
})

interface Supply {
  master: Address | null
  source: Address | null
  recipient: Address | null
  asset: Address | null
  amount: bigint
  /** Of jettons. */
  source_wallet?: Address | null
  master_wallet?: Address | null
}

const supplyTold = (match: Match, { master, source, recipient, asset, amount, ...wallets }: Supply): Made => {
  const user = match.one('user')!
  const success = match.one('success')
  const recipient_contract = messageOf(user).destination
  const supplied = (success && readEvaaSupplied(messageOf(success).body)) ?? amount
  const { source_wallet = null, master_wallet = null } = wallets
  const isOwn = source !== null && recipient !== null && sameAddress(source, recipient)
  return {
    btype: 'evaa_supply',
    content: {
      type: 'evaa_supply',
      details: {
        sender_jetton_wallet: source_wallet,
        recipient_jetton_wallet: isOwn ? source_wallet : null,
        master_jetton_wallet: master_wallet,
        master,
        asset_id: idText(suppliedAsset(commandIn(user))),
        is_ton: master_wallet === null,
        source,
        source_wallet,
        recipient,
        recipient_contract,
        asset,
        amount: supplied,
      },
    },
    columns: {
      source,
      source_secondary: source_wallet,
      destination: recipient,
      destination_secondary: recipient_contract,
      asset,
      amount: supplied,
    },
    failed: !success || success.failed,
  }
}

/** TON lent to a pool of EVAA. */
export const evaaSupply: Matcher = {
  name: 'EVAA supply of TON',
  pattern: call(EVAA_OPS.supply_master, { bare: true, child: outcome }),
  build: (start, match) => {
    const { source, destination: master, body } = messageOf(start)
    const said = readEvaaSupply(body)
    return said && supplyTold(match, { master, source, asset: null, ...said })
  },
}

const jettonSupply = (start: Part): Supply | undefined => {
  const transfer = detailsOf(start, 'jetton_transfer')
  const said = transfer?.forward_payload ? readEvaaJettonSupply(transfer.forward_payload) : undefined
  return (
    transfer &&
    said && {
      master: transfer.receiver,
      source: transfer.sender,
      recipient: said.recipient,
      asset: transfer.asset,
      amount: transfer.amount,
      source_wallet: transfer.sender_jetton_wallet,
      master_wallet: transfer.receiver_jetton_wallet,
    }
  )
}

/** Jettons lent to a pool of EVAA. */
export const evaaJettonSupply: Matcher = {
  name: 'EVAA supply of jettons',
  pattern: only(kind('jetton_transfer', { bare: true, child: outcome }), carries(readEvaaJettonSupply)),
  build: (start, match) => {
    const supply = jettonSupply(start)
    return supply && supplyTold(match, supply)
  },
}
