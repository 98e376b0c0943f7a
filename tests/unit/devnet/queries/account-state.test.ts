import { describe, expect, test } from 'bun:test'
import { getAccountState, getAccountStatePrunned } from '../../../../src/liteserver/client.ts'
import { MASTERCHAIN } from '../../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../../src/ton/boc.ts'
import { MERKLE_PROOF } from '../../../../src/ton/cell.ts'
import { checkAccountState, checkAccountStatePrunned } from '../../../../src/ton/proof/account.ts'
import { PROVEN } from '../../../../src/ton/proof/evidence.ts'
import { parseAccount } from '../../../../src/ton/tlb/account.ts'
import { parseMcStateExtra } from '../../../../src/ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardEntries } from '../../../../src/ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit, shardAccounts } from '../../../../src/ton/tlb/shard-state.ts'
import { archiveAt } from '../../../support/archive-client.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const chain = recordedChain()

/** Every account of the masterchain and of the shards at a masterchain block, with the block whose state holds it. */
function* accountsAt(seqno: number) {
  const master = chain.masterchain(seqno)!
  const { custom } = parseShardStateUnsplit(master.state)
  const shards = [...shardEntries(parseMcStateExtra(custom!).shard_hashes)].map(shardBlockId)
  for (const id of [master.id, ...shards])
    for (const [account, entry] of shardAccounts(parseShardStateUnsplit(chain.block(id)!.state).accounts))
      yield { account: { workchain: id.workchain, id: account }, shard: id, entry }
}

describe('an account state', () => {
  for (const seqno of [44, 200, chain.last])
    test(`is proven for every account at masterchain block ${seqno}`, async () => {
      const query = archiveAt(chain.last)
      const { id } = chain.masterchain(seqno)!
      let count = 0
      for (const { account, shard, entry } of accountsAt(seqno)) {
        const proven = checkAccountState(await getAccountState(query, id, account), { id, account }, PROVEN)
        expect(proven.shard_block).toEqual(shard)
        expect(proven.shard_account!.last_trans_lt).toBe(entry.last_trans_lt)
        expect(proven.account!.hash().equals(entry.account.hash())).toBe(true)
        count++
      }
      expect(count).toBeGreaterThan(20)
    })

  test('may come without code and data, and still proves the balance', async () => {
    const { id } = chain.masterchain(chain.last)!
    const query = archiveAt(chain.last)
    for (const { account, entry } of [...accountsAt(chain.last)].slice(0, 60)) {
      const answer = await getAccountStatePrunned(query, id, account)
      expect(parseBocRoot(answer.state).type).toBe(MERKLE_PROOF)
      const proven = checkAccountStatePrunned(answer, { id, account }, PROVEN)
      const [pruned, whole] = [parseAccount(proven.account!), parseAccount(entry.account)]
      if (pruned._ !== 'account' || whole._ !== 'account') throw new Error('no account')
      expect(pruned.storage.balance.grams).toBe(whole.storage.balance.grams)
    }
  })

  test('is provably absent where there is none', async () => {
    const { id } = chain.masterchain(chain.last)!
    const query = archiveAt(chain.last)
    for (const workchain of [MASTERCHAIN, 0]) {
      const account = { workchain, id: Buffer.alloc(32, 0xa7) }
      const proven = checkAccountState(await getAccountState(query, id, account), { id, account }, PROVEN)
      expect(proven.shard_account).toBeNull()
      expect(proven.shard_block).not.toBeNull()
    }
  })

  test('of a block beyond the head is not known', async () => {
    const { id } = chain.masterchain(50)!
    const account = { workchain: MASTERCHAIN, id: Buffer.alloc(32, 0x55) }
    await expect(getAccountState(archiveAt(49), id, account)).rejects.toThrow('not in db')
    const latest = { ...id, seqno: -1 }
    expect((await getAccountState(archiveAt(49), latest, account)).id.seqno).toBe(49)
  })

  test('is refused for a reference block of another workchain or shard', async () => {
    const { id } = chain.shards(0).values().next().value![0]!
    const account = { workchain: 5, id: Buffer.alloc(32) }
    await expect(getAccountState(archiveAt(chain.last), id, account)).rejects.toThrow('must belong to the masterchain')
  })
})
