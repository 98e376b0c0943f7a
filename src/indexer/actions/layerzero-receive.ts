import { readCarriedPacket } from '../../contracts/layerzero-messages.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'
import { layerZeroEvent, layerZeroRest } from './layerzero-parts.ts'

const CHANNEL_RECEIVE_PREPARE = 0x22f3ac09
const RECEIVE_PREPARE = 0x97df404c
const RECEIVE_LOCK = 0xb7680bc6
const RECEIVE_EXECUTE = 0x0c7b8418
const EXECUTE_CALLBACK = 0xcaae25a1

const ULN_COMMIT_PACKET = 0x28b97077
const ULN_CONNECTION_COMMIT_PACKET = 0xf9d37b80
const ENDPOINT_COMMIT_PACKET = 0x5dab749a
const CHANNEL_COMMIT_PACKET = 0x5388cd88
const COMMIT_PACKET_CALLBACK = 0x5e178f33

/** A packet of another chain is verified, and is put where its application can have it. */
export const layerZeroCommitPacket: Matcher = {
  name: 'LayerZero packet that is committed',
  pattern: call(ULN_COMMIT_PACKET, {
    bare: true,
    child: call(ULN_CONNECTION_COMMIT_PACKET, {
      as: 'connection',
      child: call(ENDPOINT_COMMIT_PACKET, {
        as: 'endpoint',
        child: call(CHANNEL_COMMIT_PACKET, {
          as: 'channel',
          children: [maybe(layerZeroEvent), call(COMMIT_PACKET_CALLBACK, { as: 'committed', child: layerZeroRest })],
        }),
      }),
    }),
  }),
  build: (start, match) => {
    const { source: sender } = messageOf(start)
    const { destination: uln_connection } = messageOf(match.one('connection')!)
    const { destination: endpoint } = messageOf(match.one('endpoint')!)
    const { destination: channel, body } = messageOf(match.one('channel')!)
    const { destination: msglib_connection } = messageOf(match.one('committed')!)
    return {
      btype: 'layerzero_commit_packet',
      content: {
        type: 'layerzero_commit_packet',
        details: {
          sender,
          endpoint,
          uln: uln_connection,
          uln_connection,
          channel,
          msglib_connection,
          layerzero_packet_data: readCarriedPacket(body),
        },
      },
      columns: {
        source: sender,
        source_secondary: endpoint,
        destination: uln_connection,
        destination_secondary: uln_connection,
        asset: channel,
        asset_secondary: msglib_connection,
      },
      failed: start.failed,
    }
  },
}

/** An application takes in a packet of another chain. */
export const layerZeroReceive: Matcher = {
  name: 'LayerZero packet that is received',
  pattern: call(CHANNEL_RECEIVE_PREPARE, {
    bare: true,
    children: [
      layerZeroRest,
      call(RECEIVE_PREPARE, {
        child: call(RECEIVE_LOCK, {
          child: call(RECEIVE_EXECUTE, {
            as: 'execute',
            children: [
              maybe(layerZeroEvent),
              call(EXECUTE_CALLBACK, { children: [maybe(layerZeroEvent), layerZeroRest] }),
            ],
          }),
        }),
      }),
    ],
  }),
  build: (start, match) => {
    const { source: sender } = messageOf(start)
    const { source: channel, destination: oapp, body } = messageOf(match.one('execute')!)
    const packet = readCarriedPacket(body)
    if (!oapp || BigInt(`0x${oapp.hash.toString('hex')}`) !== BigInt(packet.dst_oapp)) return undefined
    return {
      btype: 'layerzero_receive',
      content: {
        type: 'layerzero_receive',
        details: { sender, oapp, channel, layerzero_packet_data: packet },
      },
      columns: { source: sender, destination: oapp, destination_secondary: channel },
      failed: start.failed,
    }
  },
}
