import { TonlithError } from '../common/errors.ts'
import { decodeUtf8 } from '../common/utf8.ts'
import type { DnsAccountState } from '../model/account-state.ts'
import type { DnsEntry, DnsRecord } from '../model/dns.ts'
import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { dictEntries } from '../ton/dictionary.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { accountOf, loadMsgAddressInt } from '../ton/tlb/msg-address.ts'
import { readOrNone } from './get-methods.ts'

/** Data of the manual DNS contract: wallet_id:uint32 and what follows. Throws `malformed` when the data is too short. */
export const readDns = (data: Slice): DnsAccountState => ({ _: 'dns.accountState', wallet_id: data.uintBig(32) })

const TEXT = 0x1eda
const NEXT_RESOLVER = 0xba93
const ADNL_ADDRESS = 0xad01
const SMC_ADDRESS = 0x9fd3
const STORAGE_ADDRESS = 0x7473

/**
 * Cells that all records of one name may have. A dictionary can share its cells, so that few of them stand for very many
 * records, and a record of an unknown kind is given out whole.
 */
const MAX_RECORD_CELLS = 2048

const loadAccount = (slice: Slice): Address => {
  const account = accountOf(loadMsgAddressInt(slice))
  if (!account) throw new TonlithError('malformed', 'not an account')
  return account
}

/** TL-B Text: chunks, each with a length in bytes, each but the first behind a reference. */
const loadText = (slice: Slice): string => {
  const chunks: Buffer[] = []
  let rest = slice
  for (let left = slice.uint(8); left > 0; left--) {
    chunks.push(rest.bytes(rest.uint(8)))
    if (left > 1) rest = beginParse(rest.ref())
  }
  const text = decodeUtf8(Buffer.concat(chunks))
  if (text === undefined) throw new TonlithError('malformed', 'not a Text')
  return text
}

const loadKnownRecord = (slice: Slice): DnsRecord | undefined => {
  switch (slice.uint(16)) {
    case TEXT:
      return { _: 'dns_text', text: loadText(slice) }
    case NEXT_RESOLVER:
      return { _: 'dns_next_resolver', resolver: loadAccount(slice) }
    case ADNL_ADDRESS:
      return { _: 'dns_adnl_address', adnl_addr: slice.bytes(32) }
    case SMC_ADDRESS:
      return { _: 'dns_smc_address', smc_addr: loadAccount(slice) }
    case STORAGE_ADDRESS:
      return { _: 'dns_storage_address', bag_id: slice.bytes(32) }
  }
  return undefined
}

/** TL-B DNSRecord; one of an unknown kind, or a broken one, is `unknown`. */
export const parseDnsRecord = (cell: Cell): DnsRecord =>
  readOrNone(() => loadKnownRecord(beginParse(cell))) ?? { _: 'unknown', cell }

/** Counts cells, shared ones as often as they are shared, no further than `limit`. */
const countCells = (root: Cell, limit: number): number => {
  const stack = [root]
  let count = 0
  for (let cell = stack.pop(); cell && count < limit; cell = stack.pop()) {
    count++
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
  return count
}

/**
 * TL-B DNS_RecordSet (root of Hashmap 256 ^DNSRecord): all records of a name by category, ascending. Throws `malformed`
 * for what is none, `limit` beyond 2048 cells.
 */
export const parseDnsRecords = (root: Cell): DnsEntry[] => {
  const entries: DnsEntry[] = []
  let left = MAX_RECORD_CELLS
  for (const [category, value] of dictEntries(root, 256)) {
    const cell = value.ref()
    left -= countCells(cell, left + 1)
    if (left < 0) throw new TonlithError('limit', 'too many DNS records')
    entries.push({ category, record: parseDnsRecord(cell) })
  }
  return entries
}
