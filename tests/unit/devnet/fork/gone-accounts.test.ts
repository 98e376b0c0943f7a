import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deletedBy, openGoneAccounts } from '../../../../src/devnet/fork/gone-accounts.ts'
import { parseShardStateUnsplit, shardAccount } from '../../../../src/ton/tlb/shard-state.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonlith-gone-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const chain = recordedChain()
/** The recorded blocks that deleted accounts. */
const deleting = [...chain.shards(0).values()].flat().filter((block) => deletedBy(block).length > 0)

test('what a block deletes was there before it, and is not any more', () => {
  expect(deleting.length).toBeGreaterThan(0)
  for (const block of deleting)
    for (const address of deletedBy(block)) {
      const id = Buffer.from(address.slice(address.indexOf(':') + 1), 'hex')
      expect(shardAccount(parseShardStateUnsplit(block.state).accounts, id)).toBeNull()
    }
})

test('what was deleted is known at the next start, but for what a chain that is gone deleted', () => {
  const path = join(folder, 'deleted')
  const [block] = deleting
  const [address] = deletedBy(block!)
  const first = openGoneAccounts(path, 0)
  expect(first.has(address!)).toBe(false)
  first.note(block!, 7)
  first.note(block!, 8)
  expect(first.has(address!)).toBe(true)
  expect(openGoneAccounts(path, 7).has(address!)).toBe(true)
  expect(openGoneAccounts(path, 6).has(address!)).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('')
})

test('a file that is damaged costs its bad lines only, one that cannot be written is told', async () => {
  const path = join(folder, 'damaged')
  await Bun.write(path, `x\n3 0:${'ab'.repeat(32)}\n3 nobody`)
  expect(openGoneAccounts(path, 9).has(`0:${'ab'.repeat(32)}`)).toBe(true)
  expect(() => openGoneAccounts(folder, 9)).toThrow('cannot be read')
})
