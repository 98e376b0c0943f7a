import type { RowData } from './row-data.ts'

export const LAYERZERO_ROWS: RowData = {
  layerzero_send: ({ layerzero_send_data, layerzero_packet_data }) => ({ layerzero_send_data, layerzero_packet_data }),
  layerzero_send_tokens: ({ layerzero_send_data, layerzero_packet_data }) => ({
    layerzero_send_data,
    layerzero_packet_data,
  }),
  layerzero_receive: ({ layerzero_packet_data }) => ({ layerzero_packet_data }),
  layerzero_commit_packet: ({ layerzero_packet_data }) => ({ layerzero_packet_data }),
  layerzero_dvn_verify: ({ initiator: _, ...data }) => ({ layerzero_dvn_verify_data: data }),
}
