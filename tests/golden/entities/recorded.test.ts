import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { finish } from '../../../src/common/steps.ts'
import type { Detector } from '../../../src/indexer/detect.ts'
import { classifyKnown } from '../../../src/indexer/known-accounts.ts'
import type { Action } from '../../../src/model/action.ts'
import type { EntityKind, EntityOf } from '../../../src/model/entities.ts'
import { readTraceTransaction } from '../../../src/model/trace-transaction.ts'
import type { IndexReader } from '../../../src/store/queries/index-reader.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { rawAddress, tryParseAddress } from '../../../src/ton/address.ts'
import { indexRecorded, seqnosFrom } from '../../support/detected-index.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

/** What the accounts of the recorded network are at its end, as its scenario made them. */

setDefaultTimeout(120_000)

const chain = recordedChain()
const PAGE = { limit: 1_000, offset: 0, sort: 'asc' } as const
const [J1, J2, J3, STABLE] = [
  '0:f324b1d4635511547aba3e066f12e288ae3350694cb16de5886d29748e5849f3',
  '0:d197a02def36e5f37dc41b8c45c883951ea3a595b99ebc2536651a0ec8d93b65',
  '0:cfd3314eb8223d0240a47b0bd9188790cb6f7b8d91438d3defc2d71144b33251',
  '0:80dcafcc3f593d9f28d2b3e9eccd070bce15474e3c6dc879614b839eec438fa0',
] as const
const COLLECTION = '0:6866865e250041110ad33329c810f9e9f845c81280383f2f83925291454c8e27'
const MULTISIG = '0:248b7f45389e6780e78be8b6efec1f4a4db635f77cd8c1182efe778356c9e285'
const ALICE = '0:cccfaa86dd42dbf3cd6165f36385f35c89fe7b22d59e5f3f0ef01663a551f702'
const VESTING = '0:b4143a29e3ad69e3c675c6bd9a6dc41b7eae47805a0fe0559c61cec365436d50'
const SALE = '0:7b07408bd226aa0a611b2ec5f42bb8a67c3104c7ae23924175b0ccb0f6703894'
const BURNT_SBT = '0:14785cad442a12f16ab1094edf72a087f03164618678ee6852a7dfd3d5411c33'

let whole: TemporaryIndex
let late: TemporaryIndex
let reader: IndexReader
let detector: Detector
const LATE = 60

beforeAll(async () => {
  whole = await temporaryIndex()
  detector = await indexRecorded(whole.index, chain, seqnosFrom(chain, 1))
  reader = openIndexReader(whole.index)
  late = await temporaryIndex()
})
afterAll(async () => {
  await whole.remove()
  await late.remove()
})

const at = <K extends EntityKind>(kind: K, address: string, from = reader): EntityOf<K> | undefined =>
  from.entities(kind, [tryParseAddress(address)!])[0]?.entity

describe('at the end of the recording', () => {
  test('the jettons are what was made', () => {
    expect(reader.jettonMasters({}, PAGE).records).toHaveLength(4)
    expect(at('jetton_master', J1)).toMatchObject({ total_supply: 990_000_000_000n, mintable: true })
    expect(at('jetton_master', J2)).toMatchObject({
      total_supply: 0n,
      jetton_content: { _: 'offchain', uri: 'https://example.com/new-metadata.json' },
    })
    expect(at('jetton_master', J3)).toMatchObject({
      admin_address: null,
      jetton_content: {
        _: 'onchain',
        attributes: { decimals: '6', symbol: 'SEMI', uri: 'https://example.com/semi.json' },
      },
    })
    expect(at('jetton_master', STABLE)).toMatchObject({ total_supply: 1_000_000_000n })
  })

  test('the wallets of a jetton hold its supply', () => {
    expect(reader.jettonWallets({}, PAGE).records).toHaveLength(10)
    for (const master of [J1, J2, J3, STABLE]) {
      const { records } = reader.jettonWallets({ jetton_addresses: [tryParseAddress(master)!] }, PAGE)
      const sum = records.reduce((balance, { entity }) => balance + entity.balance, 0n)
      expect([master, sum]).toEqual([master, at('jetton_master', master)!.total_supply])
    }
  })

  test('the items have their collection, index, owner and content', () => {
    const { records } = reader.nftItems({ collection_addresses: [tryParseAddress(COLLECTION)!] }, PAGE)
    expect(records.map(({ entity }) => entity.index)).toEqual(Array.from({ length: 21 }, (_, i) => BigInt(i)))
    expect(records[1]!.entity.content).toEqual({ _: 'offchain', uri: 'https://example.com/v2/1.json' })
    expect(at('nft_collection', COLLECTION)).toMatchObject({ next_item_index: 21n })
    expect(at('nft_item', BURNT_SBT)).toMatchObject({ collection_address: null, owner_address: null })
  })

  test('the domain has its records', () => {
    expect(at('dns_entry', ALICE)).toMatchObject({ domain: 'scenario-alice.ton', expires_at: 1_827_443_359 })
    const { dns_next_resolver, dns_wallet, dns_site_adnl } = at('dns_entry', ALICE)!
    expect(rawAddress(dns_next_resolver!)).toBe('0:0f6763d91733de66ab872fd4dc1fee829d5be993362e88902778e4bcbf8ca734')
    expect(rawAddress(dns_wallet!)).toBe('0:5309cea6dbc537878fa76c2e1a79aa72a725a12945571595f33c4b5d27838e97')
    expect(dns_site_adnl).toHaveLength(32)
    expect(at('nft_item', ALICE)?.content).toEqual({ _: 'domain', domain: 'scenario-alice.ton' })
  })

  test('the multisig has its orders', () => {
    expect(at('multisig', MULTISIG)).toMatchObject({ next_order_seqno: 4n, threshold: 1, proposers: [] })
    const { records } = reader.multisigOrders({ multisig_addresses: [tryParseAddress(MULTISIG)!] }, PAGE)
    const orders = records.map(({ entity }) => [entity.order_seqno, entity.approvals_mask, entity.sent_for_execution])
    expect(orders.sort()).toEqual([
      [0n, 3n, true],
      [1n, 4n, false],
      [2n, 3n, true],
      [3n, 1n, true],
    ])
  })

  test('the vesting wallet and the sale have theirs', () => {
    expect(at('vesting', VESTING)).toMatchObject({ total_amount: 100_000_000_000n, cliff_duration: 5_184_000 })
    expect(at('vesting', VESTING)?.whitelist).toHaveLength(2)
    expect(at('getgems_sale', SALE)).toMatchObject({
      is_complete: true,
      full_price: 10_000_000_000n,
      marketplace_fee: 500_000_000n,
    })
  })

  test('transfers and burns are those that were asked for', () => {
    const transfers = reader.jettonTransfers({}, PAGE).records
    expect(transfers).toHaveLength(11)
    expect(reader.jettonBurns({}, PAGE).records).toHaveLength(4)
    expect(reader.nftTransfers({}, PAGE).records).toHaveLength(11)
    const masters = new Set(transfers.map(({ jetton_master }) => rawAddress(jetton_master)))
    expect([...masters].every((master) => [J1, J2, J3, STABLE].some((known) => known === master))).toBe(true)
  })

  test('nothing was refused, and no account had to be fetched', () => {
    const { faults, fetched } = detector.counts
    expect({ ...faults, form: 0, fetched }).toEqual({
      form: 0,
      parent: 0,
      content: 0,
      refused: 0,
      gas: 0,
      unreachable: 0,
      budget: 0,
      fetched: 0,
    })
  })
})

test('an index that begins later fetches what its accounts need, and knows the same of them', async () => {
  const { counts } = await indexRecorded(late.index, chain, seqnosFrom(chain, LATE))
  expect(counts.fetched).toBeGreaterThan(3)
  const other = openIndexReader(late.index)
  const kinds = ['jetton_master', 'jetton_wallet', 'nft_collection', 'nft_item', 'dns_entry', 'multisig_order'] as const
  let compared = 0
  for (const kind of kinds) {
    const addresses = [...reader.jettonWallets({}, PAGE).records, ...reader.nftItems({}, PAGE).records]
      .map(({ address }) => address)
      .concat([J1, J2, J3, STABLE, COLLECTION, MULTISIG].map((text) => tryParseAddress(text)!))
    for (const { address, entity } of other.entities(kind, addresses)) {
      expect([rawAddress(address), entity]).toEqual([rawAddress(address), at(kind, rawAddress(address))!])
      compared++
    }
  }
  expect(compared).toBeGreaterThan(10)
})

/** The actions of every trace, by the traces' ends. */
const derived = (): Action[] =>
  reader.traces({}, { ...PAGE, limit: 10_000 }).records.flatMap((trace) => {
    const transactions = Array.from(reader.traceTransactions(trace, trace.nodes), ({ account, cell }) =>
      readTraceTransaction(account.workchain, cell),
    )
    const { actions } = finish(classifyKnown(reader, { trace_id: trace.root_hash, transactions }))
    return actions.sort((a, b) => Number(a.end_lt - b.end_lt) || a.action_id.compare(b.action_id))
  })

test('what is noted of actions is what classifying each trace tells', () => {
  const all = derived()
  const ids = (actions: readonly Action[]) => actions.map(({ action_id }) => action_id.toString('hex', 0, 8))
  const found = (filter: Parameters<IndexReader['actions']>[0], sort: 'asc' | 'desc' = 'asc') =>
    reader.actions(filter, { limit: 10_000, offset: 0, sort }).records.map(({ id }) => id.toString('hex'))
  expect(all.length).toBeGreaterThan(2_900)
  expect(found({})).toEqual(ids(all))
  expect(found({}, 'desc')).toEqual(ids(all).reverse())
  for (const [type, some] of Map.groupBy(all, ({ content }) => content.type))
    expect([type, found({ types: [type] })]).toEqual([type, ids(some)])
  const accounts = new Map(all.flatMap((action) => action.accounts.map((one) => [rawAddress(one), one] as const)))
  for (const [name, account] of [...accounts].filter((_, i) => i % 8 === 0)) {
    const own = all.filter(({ accounts }) => accounts.some((one) => rawAddress(one) === name))
    expect([name, found({ account })]).toEqual([name, ids(own)])
  }
  for (const action of all.filter((_, i) => i % 50 === 0)) {
    const own = all.filter(({ transactions }) => transactions.some((one) => one.equals(action.transactions[0]!)))
    expect(found({ tx_hashes: [action.transactions[0]!] })).toEqual(ids(own))
    const same = all.filter(({ action_id }) => action_id.equals(action.action_id))
    expect(found({ action_ids: [action.action_id] })).toEqual(ids(same))
  }
})
