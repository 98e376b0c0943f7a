import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIndexKeeping } from '../../../src/cli/index-keeping.ts'
import type { Detection } from '../../../src/indexer/store-bundle.ts'
import type { EntityKind } from '../../../src/model/entities.ts'
import { openIndexStore } from '../../../src/store/index-store.ts'
import type { IndexReader } from '../../../src/store/queries/index-reader.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { type Address, rawAddress } from '../../../src/ton/address.ts'
import { indexRecorded, recordedBundle, seqnosFrom } from '../../support/detected-index.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { recordedDetectionSource, recordedDetector } from '../../support/recorded-detection.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

/** What an index of chosen accounts of the recorded network knows of contracts that were not chosen. */

setDefaultTimeout(240_000)

const NETWORK = 'recorded'
const PAGE = { limit: 1_000, offset: 0, sort: 'asc' } as const
const chain = recordedChain()
const source = recordedDetectionSource(chain)

let whole: TemporaryIndex
let reader: IndexReader
let folder: string
beforeAll(async () => {
  whole = await temporaryIndex()
  await indexRecorded(whole.index, chain, seqnosFrom(chain, 1))
  whole.index.environment.renew()
  reader = openIndexReader(whole.index)
  folder = mkdtempSync(join(tmpdir(), 'tonlith-chosen-'))
})
afterAll(async () => {
  await whole.remove()
  rmSync(folder, { recursive: true, force: true })
})

const opened = async (name: string, chosen: readonly Address[]) => {
  const detection: Detection = { detector: recordedDetector(chain, source), config: source.config }
  return openIndexKeeping({
    folder: join(folder, name),
    network: NETWORK,
    chosen: { read: () => chosen.map(rawAddress) },
    retain: 'forever',
    fetchAccount: source.fetchAccount,
    detection,
  })
}

test('the parents of what was chosen are followed as they change', async () => {
  const wallets = reader.jettonWallets({}, PAGE).records.map(({ address }) => address)
  const items = reader.nftItems({}, PAGE).records.map(({ address }) => address)
  const keeping = await opened('parents', [...wallets, ...items])
  for (const seqno of seqnosFrom(chain, 1)) await keeping.store(recordedBundle(chain, seqno))
  await keeping.close()
  const index = await openIndexStore(join(folder, 'parents'), NETWORK, { readOnly: true })
  const scoped = openIndexReader(index)
  const same = (kind: EntityKind, addresses: Address[]): void =>
    expect(scoped.entities(kind, addresses)).toEqual(reader.entities(kind, addresses))
  const masters = scoped.jettonMasters({}, PAGE).records.map(({ address }) => address)
  const collections = scoped.nftCollections({}, PAGE).records.map(({ address }) => address)
  expect(masters.length).toBeGreaterThan(2)
  expect(collections.length).toBeGreaterThan(0)
  same('jetton_master', masters)
  same('nft_collection', collections)
  same('jetton_wallet', wallets)
  same('nft_item', items)
  await index.environment.close()
})

test('the latest state of an account tells what it is, also where no transaction of it is kept', async () => {
  const [wallet] = reader.jettonWallets({}, { ...PAGE, limit: 1 }).records
  const { address, entity } = wallet!
  const { masterchain } = recordedBundle(chain, chain.last)
  const found = await source.account(address, masterchain.id)
  const keeping = await opened('state', [address])
  await keeping.histories.keepState({ account: found!.account, mc_seqno: 7, masterchain })
  await keeping.close()
  const index = await openIndexStore(join(folder, 'state'), NETWORK, { readOnly: true })
  const alone = openIndexReader(index)
  expect(alone.entities('jetton_wallet', [address])).toMatchObject([{ address, entity }])
  expect(alone.entities('jetton_master', [entity.jetton])).toHaveLength(1)
  expect(alone.accountStates([address])).toHaveLength(1)
  await index.environment.close()
})
