import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AccountContents } from '../../src/contracts/account-state.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { parseAccount } from '../../src/ton/tlb/account.ts'

const FILE = join(import.meta.dir, '../fixtures/chain/variants.json.zst')

/** What was put into an account, 64-bit numbers as decimal texts. `expect` says how it is malformed, where it is. */
export interface VariantTruth {
  account_state: string
  revision: number
  expect?: string
  wallet_id?: number
  wallet_type?: string
  seqno?: number
  unlocked_balance?: string
  frozen_hash?: string
  config?: Record<string, unknown>
  state?: Record<string, unknown> | string
}

/** One real account of the recorded network and what toncenter's own implementation answered about it. */
export interface Variant {
  label: string
  account_boc: string
  tx: { now?: number } | null
  truth: VariantTruth
  answer: { result?: { sync_utime: number; account_state: Record<string, unknown> } } | null
  /** Its getWalletInformation. */
  wallet_information: { result: WalletAnswer }
}

/** The keys of getWalletInformation that only a wallet has. */
export interface WalletAnswer {
  wallet: boolean
  wallet_type?: string
  seqno?: number
  wallet_id?: number
  is_signature_allowed?: boolean
}

/** Every entry of the recording's variants.json. */
export const readVariants = (): Variant[] =>
  JSON.parse(Buffer.from(Bun.zstdDecompressSync(readFileSync(FILE))).toString('utf8'))

/** What detectAccountState is given for an entry: the parsed account cell and the time it was asked about. */
export const contentsOf = ({ label, account_boc, tx, answer }: Variant): AccountContents => {
  const account = parseAccount(parseBocRoot(Buffer.from(account_boc, 'base64')))
  if (account._ !== 'account') throw new Error(`${label} has no account`)
  const now = answer?.result?.sync_utime ?? tx?.now
  if (now === undefined) throw new Error(`${label} has no time`)
  const { balance, state } = account.storage
  const active = state._ === 'account_active'
  return {
    balance: balance.grams,
    code: active ? state.code : null,
    data: active ? state.data : null,
    frozenHash: state._ === 'account_frozen' ? state.state_hash : null,
    now,
  }
}

/** The contents of the entry with this label. */
export const variant = (label: string): AccountContents => {
  const found = readVariants().find((v) => v.label === label)
  if (!found) throw new Error(`no such variant: ${label}`)
  return contentsOf(found)
}
