import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addKey, openKeyStore } from '../../src/store/api-keys.ts'
import { addChosen, openChosenStore } from '../../src/store/chosen-accounts.ts'
import { devChainFolder } from '../../src/store/dev-chain-store.ts'
import { dataFile } from '../../src/store/disk.ts'
import { openIndexStore } from '../../src/store/index-store.ts'
import { writeDocuments } from '../../src/store/metadata-rows.ts'
import { openMetadataStore } from '../../src/store/metadata-store.ts'
import { applyPayments } from '../../src/store/payments/paid.ts'
import { addTransfer } from '../../src/store/payments/transfers.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import { indexRecorded } from './detected-index.ts'
import { startTestNetwork } from './dev-chain.ts'
import { addressNo, samplePayment, sampleTransfer, ulidNo } from './payment-samples.ts'
import { recordedChain } from './recorded-chain.ts'
import { madeEvents, madeMerchant, temporaryPayments } from './temporary-payments.ts'

/*
 * Writes a small store of today's format: bun tests/support/make-format.ts STORE FILE.zst
 * For a new format: raise the version, run this, and add the file to tests/support/released-formats.ts. What stands in
 * tests/fixtures/formats is never made again: it is what older programs have written.
 */

/** The masterchain blocks that the fixtures of the index hold. */
const [FIRST, LAST] = [60, 90]

const makeIndex = async (folder: string): Promise<string> => {
  const chain = recordedChain()
  const index = await openIndexStore(folder, chain.zerostate(MASTERCHAIN)!.id.file_hash.toString('hex'))
  await indexRecorded(
    index,
    chain,
    Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i),
  )
  await index.environment.close()
  return folder
}

const makeOperator = async (data: string): Promise<string> => {
  const keys = await openKeyStore(data)
  const key = { owner: 'ann', network: 'mainnet', plan: 'free', created: 1_700_000_000 } as const
  addKey(keys, 'secret of the first key', { ...key, name: 'first', revoked: null })
  addKey(keys, 'secret of the second key', { ...key, name: 'second', revoked: 1_700_000_100 })
  await keys.close()
  const chosen = await openChosenStore(data)
  addChosen(chosen, [addressNo(1), addressNo(2)], 1_700_000_000)
  await chosen.close()
  return join(data, 'operator')
}

const makeMetadata = async (folder: string): Promise<string> => {
  const store = await openMetadataStore(folder)
  const document = { _: 'ready', members: [['name', '"A jetton"']] } as const
  writeDocuments(store, [
    { uri: 'https://example.test/a.json', document, failures: 0, next: 1_700_000_000 },
    { uri: 'https://example.test/b.json', document: null, failures: 2, next: 1_700_000_000 },
  ])
  await store.close()
  return folder
}

const makePayments = async (): Promise<string> => {
  const { store, data } = await temporaryPayments()
  const merchant = madeMerchant(store, 'https://example.test/hook')
  for (const n of [1, 2, 3])
    addTransfer(store, sampleTransfer(n, { merchant: n === 3 ? null : merchant.id, network: merchant.network }), {
      ofMerchant: 10,
      ofNobody: 10,
    })
  const { reference } = sampleTransfer(1)
  applyPayments(store, {
    network: merchant.network,
    cursor: { index: 'ab', position: Buffer.from('cd', 'hex') },
    found: [{ reference, payment: samplePayment(1) }],
    now: 1_700_000_200_000,
    newId: () => ulidNo(100),
    body: () => Buffer.from('{"event":"transfer.completed"}'),
  })
  madeEvents(store, merchant, 2)
  await store.close()
  return join(data, 'payments')
}

const makeDevChain = async (): Promise<string> => {
  const network = await startTestNetwork()
  await network.control.mine(3)
  await network.stop()
  return devChainFolder(network.folder)
}

const MAKERS: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  index: makeIndex,
  operator: makeOperator,
  metadata: makeMetadata,
  payments: makePayments,
  'dev-chain': makeDevChain,
}

const [store = '', file = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'tonlith-format-'))
const made = await MAKERS[store]!(folder)
writeFileSync(file, Bun.zstdCompressSync(readFileSync(dataFile(made)), { level: 19 }))
rmSync(folder, { recursive: true, force: true })
process.exit(0)
