import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { intAt } from '../../../../src/contracts/get-methods.ts'
import { findJettonMaster, findJettonWallet } from '../../../../src/contracts/jetton.ts'
import { findNftCollection, findNftItem } from '../../../../src/contracts/nft.ts'
import { COLLECTION, itemAddress } from '../../../../src/devnet/genesis/collection.ts'
import { createGenesis } from '../../../../src/devnet/genesis/genesis.ts'
import { OPENING_WALLET, openingSteps } from '../../../../src/devnet/genesis/opening.ts'
import { TUSD, tusdWallet } from '../../../../src/devnet/genesis/tusd.ts'
import { DEV_WALLETS } from '../../../../src/devnet/genesis/wallets.ts'
import { readDataUri } from '../../../../src/indexer/metadata/data-uri.ts'
import { parseTransactionDescr } from '../../../../src/ton/tlb/transaction-descr.ts'
import { type GenesisLedger, genesisLedger } from '../../../support/genesis-ledger.ts'

setDefaultTimeout(60_000)

const genesis = createGenesis({ gen_utime: 1_800_000_000, shards: 1 })
let ledger: GenesisLedger
let transactions = 0

beforeAll(async () => {
  ledger = await genesisLedger(genesis)
  const before = await ledger.run(OPENING_WALLET.address, 'seqno')
  expect(intAt(before.stack, 0)).toBe(0n)
  for (const { seqno, needs, message } of openingSteps()) {
    const { stack } = await ledger.run(OPENING_WALLET.address, 'seqno')
    expect(intAt(stack, 0)).toBe(BigInt(seqno))
    for (const address of needs)
      expect(ledger.account(address)).toMatchObject({ storage: { state: { _: 'account_active' } } })
    ledger.now++
    const outcome = ledger.send(message(ledger.now + 60))
    expect(outcome.executed.done).toBe(true)
    for (const { description } of outcome.transactions)
      expect(parseTransactionDescr(description)).toMatchObject({ _: 'trans_ord', aborted: false })
    transactions += outcome.transactions.length
  }
})

describe('the opening', () => {
  test('runs without a transaction that fails', () => {
    expect(transactions).toBeGreaterThan(40)
  })

  test('leaves TUSD with the wallets', async () => {
    const master = await findJettonMaster(ledger.methods, TUSD.address)
    expect(master).toMatchObject({
      total_supply: 10_000_000_000_000n,
      mintable: true,
      admin_address: OPENING_WALLET.address,
    })
    expect(master!.jetton_content).toEqual({
      _: 'onchain',
      attributes: {
        decimals: '6',
        description: 'A jetton of the dev network. It is worth nothing.',
        name: 'Test USD',
        symbol: 'TUSD',
      },
    })
    const balances: bigint[] = []
    for (const { address } of DEV_WALLETS) {
      const wallet = await findJettonWallet(ledger.methods, tusdWallet(address))
      expect(wallet!.owner).toEqual(address)
      balances.push(wallet!.balance)
    }
    expect(balances.slice(0, 2)).toEqual([999_750_000_000n, 1_000_250_000_000n])
    expect(balances.slice(2).every((balance) => balance === 1_000_000_000_000n)).toBe(true)
  })

  test('leaves items with the wallets, whose documents need no network', async () => {
    const collection = await findNftCollection(ledger.methods, COLLECTION.address)
    expect(collection).toMatchObject({ next_item_index: 5n, owner_address: OPENING_WALLET.address })
    expect(collection!.collection_content).toMatchObject({ _: 'onchain', attributes: { name: 'Dev Items' } })
    const owners = [5, 1, 2, 3, 4].map((i) => DEV_WALLETS[i]!.address)
    for (const [i, owner] of owners.entries()) {
      const item = await findNftItem(ledger.methods, itemAddress(BigInt(i)))
      expect(item).toMatchObject({
        init: true,
        index: BigInt(i),
        collection_address: COLLECTION.address,
        owner_address: owner,
      })
      const { content } = item!
      if (content._ !== 'offchain') throw new Error(`content ${content._}`)
      expect(JSON.parse(readDataUri(content.uri)!.toString())).toMatchObject({ name: `Dev Item #${i}` })
    }
  })

  test('costs the first wallet little', () => {
    const account = ledger.account(OPENING_WALLET.address)
    if (account._ !== 'account') throw new Error('no wallet')
    expect(account.storage.balance.grams).toBeGreaterThan(9_995_000_000_000n)
  })
})
