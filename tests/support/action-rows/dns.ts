import type { RowData } from './row-data.ts'

export const DNS_ROWS: RowData = {
  change_dns: ({ key, value }) => ({
    change_dns_record_data: {
      key,
      value_schema: value.sum_type,
      flags: value.flags,
      address: value.dns_smc_address ?? value.dns_next_resolver_address ?? value.dns_adnl_address,
      dns_text: value.dns_text,
    },
  }),
  delete_dns: ({ hash }) => ({ change_dns_record_data: { key: hash } }),
}
