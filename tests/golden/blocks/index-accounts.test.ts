import { expect, test } from 'bun:test'
import type { Chain, ChainBlock } from '../../../src/devnet/chain.ts'
import { completeBatch, withAccount } from '../../../src/indexer/accounts.ts'
import { type AccountStatus, readAccountCell } from '../../../src/model/account.ts'
import type { BatchAccount } from '../../../src/model/batch.ts'
import { changeAccountCells, changeTrees, knownCells, readTree } from '../../../src/store/account-cells.ts'
import { type Address, accountPrefix, rawAddress } from '../../../src/ton/address.ts'
import { shardContains } from '../../../src/ton/block-id.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { parseShardStateUnsplit, shardAccount, shardAccounts } from '../../../src/ton/tlb/shard-state.ts'
import { cellTable } from '../../support/cell-table.ts'
import { recordedBatches } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { wholeTree } from '../../support/whole-tree.ts'

/** The newest blocks of all shards as of a masterchain block, itself among them. */
const heads = (chain: Chain, seqno: number, tops: Iterable<ChainBlock | undefined>): ChainBlock[] => [
  chain.masterchain(seqno)!,
  ...[...tops].flatMap((block) => block ?? []),
]

const stateOf = (blocks: readonly ChainBlock[], { workchain, hash }: Address) => {
  const block = blocks.find(
    ({ id }) => id.workchain === workchain && shardContains(id.shard, accountPrefix({ workchain, hash })),
  )
  return block ? shardAccount(parseShardStateUnsplit(block.state).accounts, hash) : null
}

/** What getAccountState tells of an account, as the index has it. */
const expected = (blocks: readonly ChainBlock[], address: Address) => {
  const entry = stateOf(blocks, address)
  const last = { lt: entry?.last_trans_lt ?? 0n, hash: entry?.last_trans_hash ?? Buffer.alloc(32) }
  const account = readAccountCell(address, entry?.account ?? null, last)
  return {
    status: account.status,
    balance: account.balance,
    extra_currencies: account.extra_currencies.map(({ id, amount }) => [id >>> 0, amount]),
    state_hash: entry?.account.hash().toString('hex'),
    last_transaction: entry ? account.last_transaction : undefined,
    frozen_hash: account.frozen_hash,
    code: account.code?.hash() ?? null,
    data: account.data?.hash() ?? null,
  }
}

test('every account of the recorded network is rebuilt from its blocks alone, at every head', () => {
  const chain = recordedChain()
  const { table, rows } = cellTable()
  const latest = new Map<string, BatchAccount>()
  const codes = new Set<string>()
  const fetched: string[] = []
  const statuses = new Map<AccountStatus, number>()
  const zerostates = new Set(
    [-1, 0].flatMap((workchain) =>
      Array.from(shardAccounts(parseShardStateUnsplit(chain.zerostate(workchain)!.root).accounts), ([hash]) =>
        rawAddress({ workchain, hash }),
      ),
    ),
  )
  let compared = 0
  let filled = 0
  for (const parsed of recordedBatches(chain)) {
    const { mc, shard_tops } = parsed
    const blocks = heads(
      chain,
      mc.seqno,
      shard_tops.map((id) => chain.block(id)),
    )
    const { batch: completed, missing } = completeBatch(parsed, knownCells(table))
    let batch = completed
    batch.accounts.forEach((account, i) => {
      if (account !== parsed.accounts[i]) filled++
    })
    for (const address of missing) {
      fetched.push(rawAddress(address))
      batch = withAccount(batch, address, stateOf(blocks, address)!.account)
    }
    const newCodes: Cell[] = []
    for (const { code, code_hash } of batch.accounts) {
      if (!code || !code_hash || codes.has(code_hash.toString('hex'))) continue
      codes.add(code_hash.toString('hex'))
      expect(wholeTree(table, code).hash()).toEqual(code_hash)
      newCodes.push(code)
    }
    const changes = batch.accounts.map((after) => ({ before: latest.get(rawAddress(after.address)) ?? null, after }))
    changeAccountCells(table, changes, newCodes)
    for (const account of batch.accounts) latest.set(rawAddress(account.address), account)
    const touched = batch.accounts.map(({ address }) => rawAddress(address))
    const last = mc.seqno === chain.last
    for (const name of last ? latest.keys() : touched) {
      const account = latest.get(name)!
      const { state_hash, last_transaction, ...rest } = expected(blocks, account.address)
      const ours = {
        status: account.status,
        balance: account.balance,
        extra_currencies: account.extra_currencies,
        frozen_hash: account.frozen_hash,
        code: account.code_hash && readTree(table, account.code_hash)!.hash(),
        data: account.data_hash && readTree(table, account.data_hash)!.hash(),
      }
      expect({ name, ...ours }).toEqual({ name, ...rest } as never)
      if (state_hash) expect(account.state_hash.toString('hex')).toBe(state_hash)
      if (last_transaction) expect(account.last_transaction).toEqual(last_transaction)
      compared++
    }
  }
  for (const { status } of latest.values()) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  expect(latest.size).toBe(533)
  for (const name of fetched) expect(zerostates.has(name)).toBe(true)
  expect(new Set(fetched).size).toBe(fetched.length)

  const gone = { data: null, data_hash: null, extra_currencies: [] }
  changeAccountCells(
    table,
    [...latest.values()].map((before) => ({ before, after: gone })),
    [],
  )
  changeTrees(table, { removed: Array.from(codes, (hash) => Buffer.from(hash, 'hex')) })
  expect(rows.size).toBe(0)
  console.log(
    `recorded network: ${compared} account states rebuilt (at the end ${JSON.stringify(Object.fromEntries(statuses))}), ${filled} with parts from elsewhere in the block, fetched ${fetched.length} of the zerostate`,
  )
}, 60_000)
