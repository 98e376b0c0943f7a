import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'

/** TL-B DNSRecord (TEP-81). */
export type DnsRecord =
  | { _: 'dns_text'; text: string }
  | { _: 'dns_next_resolver'; resolver: Address }
  | { _: 'dns_adnl_address'; adnl_addr: Buffer }
  | { _: 'dns_smc_address'; smc_addr: Address }
  | { _: 'dns_storage_address'; bag_id: Buffer }
  /** A record of another kind, or a broken one. */
  | { _: 'unknown'; cell: Cell }

/** A record under its category: the SHA-256 of the category's name. */
export interface DnsEntry {
  category: Buffer
  record: DnsRecord
}

/** What a DNS resolver leads to. */
export type DnsResolution =
  /** The whole name was resolved; no entries where nothing is set. */
  | { _: 'resolved'; entries: readonly DnsEntry[] }
  /** The last resolver that was asked knows a part of the name, and who may know the rest. */
  | {
      _: 'delegated'
      /** The known part in DNS form, from the start of what that resolver was asked. */
      prefix: Buffer
      resolver: Address
    }
