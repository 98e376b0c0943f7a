import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { TonlithError } from '../../common/errors.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { accountBlocks } from '../../ton/tlb/account-blocks.ts'
import { parseBlock } from '../../ton/tlb/block.ts'
import { parseBlockExtra } from '../../ton/tlb/block-extra.ts'
import { parseHashUpdate } from '../../ton/tlb/transaction.ts'

/** Accounts that the chain had and deleted: they must not come in from outside a second time. */
export interface GoneAccounts {
  /** By the raw form of the address. */
  has(address: string): boolean
  /** Notes what a block, committed by the masterchain block `mc_seqno`, deleted. Throws `unavailable` for a full disk. */
  note(block: { id: { workchain: number }; root: Cell }, mc_seqno: number): void
}

const NO_ACCOUNT = beginCell().bit(false).endCell().hash()
const LINE = /^(\d{1,10}) (-?\d{1,10}:[0-9a-f]{64})$/

/** Raw forms of the accounts that existed before a block and do not behind it. Throws `malformed`. */
export const deletedBy = ({ id, root }: { id: { workchain: number }; root: Cell }): string[] => {
  const { account_blocks } = parseBlockExtra(parseBlock(root).extra)
  const deleted: string[] = []
  for (const { account_addr, state_update } of accountBlocks(account_blocks)) {
    const { old_hash, new_hash } = parseHashUpdate(state_update)
    if (new_hash.equals(NO_ACCOUNT) && !old_hash.equals(NO_ACCOUNT))
      deleted.push(`${id.workchain}:${account_addr.toString('hex')}`)
  }
  return deleted
}

const readLines = (path: string): string[] => {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new TonlithError('unavailable', `${path} cannot be read`, { cause: error })
  }
}

/**
 * Opens the list in a file, one `SEQNO ADDRESS` a line. What stands there of blocks behind `last`, the newest masterchain
 * block, is of a chain that is gone: a snapshot was gone back to, or the network was begun anew.
 */
export const openGoneAccounts = (path: string, last: number): GoneAccounts => {
  const gone = new Set<string>()
  const kept = readLines(path).filter((line) => {
    const [, seqno, address] = LINE.exec(line) ?? []
    if (address === undefined || Number(seqno) > last) return false
    gone.add(address)
    return true
  })
  const write = (by: () => void): void => {
    try {
      mkdirSync(dirname(path), { recursive: true })
      by()
    } catch (cause) {
      throw new TonlithError('unavailable', `${path} cannot be written`, { cause })
    }
  }
  write(() => writeFileSync(path, kept.map((line) => `${line}\n`).join('')))
  return {
    has: (address) => gone.has(address),
    note: (block, mc_seqno) => {
      const fresh = deletedBy(block).filter((address) => !gone.has(address))
      if (fresh.length === 0) return
      for (const address of fresh) gone.add(address)
      write(() => appendFileSync(path, fresh.map((address) => `${mc_seqno} ${address}\n`).join('')))
    },
  }
}
