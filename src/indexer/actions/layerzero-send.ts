import { readSentPacket } from '../../contracts/layerzero-messages.ts'
import type { Matcher } from '../classify/family.ts'
import { detailsOf, messageOf } from '../classify/part.ts'
import { call, kind, maybe } from '../classify/pattern.ts'
import { layerZeroEvent, layerZeroRest } from './layerzero-parts.ts'

const ENDPOINT_SEND = 0xdd4ea3b4
const CHANNEL_SEND = 0x536feb09
const MSGLIB_CONNECTION_SEND = 0x4002b790
const ULN_SEND = 0x5de68393
const MSGLIB_SEND_CALLBACK = 0x421c1a25
const CHANNEL_SEND_CALLBACK = 0xa2b5fbae

/** Those who are paid for the way of a packet, at most: who verifies and who executes it, and the treasury. */
const PAID = Array.from({ length: 5 }, () => layerZeroRest)

const oappCallback = call(CHANNEL_SEND_CALLBACK, {
  as: 'sent',
  children: [maybe(layerZeroEvent), layerZeroRest],
})

/** An application sends a packet to another chain. */
export const layerZeroSend: Matcher = {
  name: 'LayerZero packet',
  pattern: call(ENDPOINT_SEND, {
    bare: true,
    child: call(CHANNEL_SEND, {
      as: 'channel',
      child: call(MSGLIB_CONNECTION_SEND, {
        child: call(ULN_SEND, {
          as: 'uln',
          child: call(MSGLIB_SEND_CALLBACK, { children: [layerZeroEvent, ...PAID, oappCallback] }),
        }),
      }),
    }),
  }),
  build: (start, match) => {
    const { source: initiator, destination: endpoint } = messageOf(start)
    const { packet, send_request_id, msglib_manager, msglib, native_fee, zro_fee } = readSentPacket(
      messageOf(match.one('sent')!).body,
    )
    return {
      btype: 'layerzero_send',
      content: {
        type: 'layerzero_send',
        details: {
          initiator,
          layerzero_send_data: {
            send_request_id,
            msglib_manager,
            msglib,
            uln: messageOf(match.one('uln')!).destination,
            native_fee,
            zro_fee,
            endpoint,
            channel: messageOf(match.one('channel')!).destination,
          },
          layerzero_packet_data: packet,
        },
      },
      columns: { source: initiator },
      failed: start.failed,
    }
  },
}

/** An application was sent jettons for it to send such a packet. */
export const layerZeroSendTokens: Matcher = {
  name: 'LayerZero tokens',
  pattern: kind('layerzero_send', { bare: true, parent: kind('jetton_transfer', { child: layerZeroEvent }) }),
  build: (start) => {
    const moved = detailsOf(start.previous, 'jetton_transfer')!
    const { sender, sender_jetton_wallet, receiver, receiver_jetton_wallet, asset, amount } = moved
    const { layerzero_send_data, layerzero_packet_data } = detailsOf(start, 'layerzero_send')!
    return {
      btype: 'layerzero_send_tokens',
      content: {
        type: 'layerzero_send_tokens',
        details: {
          sender,
          sender_wallet: sender_jetton_wallet,
          oapp: receiver,
          oapp_wallet: receiver_jetton_wallet,
          asset,
          amount,
          layerzero_send_data,
          layerzero_packet_data,
        },
      },
      columns: {
        source: sender,
        source_secondary: sender_jetton_wallet,
        destination: receiver,
        destination_secondary: receiver_jetton_wallet,
        asset,
        amount,
      },
      failed: start.failed,
    }
  },
}
