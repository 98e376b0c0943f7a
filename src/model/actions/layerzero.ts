import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** A message between chains. Applications, guid and message are hex with `0x`, numbers in it without leading zeros. */
export type LayerZeroPacket = {
  src_oapp: string
  dst_oapp: string
  src_eid: number
  dst_eid: number
  /** uint64. */
  nonce: bigint
  guid: string
  message: string
}

/** How a packet was sent: `msglib_manager` and `msglib` are the hashes of their accounts, as hex with `0x`. */
export type LayerZeroSendData = {
  /** uint64. */
  send_request_id: bigint
  msglib_manager: string
  msglib: string
  uln: Address | null
  /** uint128; nano-units, and base units of ZRO. */
  native_fee: bigint
  zro_fee: bigint
  endpoint: Address | null
  channel: Address | null
}

export type LayerZeroSendDetails = {
  initiator: Address | null
  layerzero_send_data: LayerZeroSendData
  layerzero_packet_data: LayerZeroPacket
}

export type LayerZeroSendTokensDetails = {
  sender: Address | null
  sender_wallet: Address | null
  oapp: Address | null
  oapp_wallet: Address | null
  asset: Address | null
  amount: bigint
  layerzero_send_data: LayerZeroSendData
  layerzero_packet_data: LayerZeroPacket
}

export type LayerZeroReceiveDetails = {
  sender: Address | null
  oapp: Address | null
  channel: Address | null
  layerzero_packet_data: LayerZeroPacket
}

export type LayerZeroCommitPacketDetails = {
  sender: Address | null
  endpoint: Address | null
  /** The connection as well, as the reference has it. */
  uln: Address | null
  uln_connection: Address | null
  channel: Address | null
  msglib_connection: Address | null
  layerzero_packet_data: LayerZeroPacket
}

export type LayerZeroDvnVerifyDetails = {
  initiator: Address | null
  /** uint64. */
  nonce: bigint
  /** `succeeded`, `nonce_out_of_range`, `dvn_not_configured`, or `unknown_` and the code. */
  status: string
  dvn: Address | null
  proxy: Address | null
  uln: Address | null
  uln_connection: Address | null
}

export type LayerZeroAction =
  | ActionOf<'layerzero_send', LayerZeroSendDetails>
  | ActionOf<'layerzero_send_tokens', LayerZeroSendTokensDetails>
  | ActionOf<'layerzero_receive', LayerZeroReceiveDetails>
  | ActionOf<'layerzero_commit_packet', LayerZeroCommitPacketDetails>
  | ActionOf<'layerzero_dvn_verify', LayerZeroDvnVerifyDetails>
