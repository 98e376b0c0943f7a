import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenIndexKeeping, openIndexKeeping } from '../../../src/cli/index-keeping.ts'
import { openStoredChain } from '../../../src/devnet/stored-chain.ts'
import { findKey, listKeys, openKeyStore } from '../../../src/store/api-keys.ts'
import { listChosen, openChosenStore } from '../../../src/store/chosen-accounts.ts'
import { openDevChain } from '../../../src/store/dev-chain-store.ts'
import { dataFile } from '../../../src/store/disk.ts'
import { openIndexStore } from '../../../src/store/index-store.ts'
import { readDocument } from '../../../src/store/metadata-rows.ts'
import { openMetadataStore } from '../../../src/store/metadata-store.ts'
import { openPaymentStore } from '../../../src/store/payments/environment.ts'
import { listLogged } from '../../../src/store/payments/events.ts'
import { findMerchantKey, listMerchants } from '../../../src/store/payments/merchants.ts'
import { paymentCursor } from '../../../src/store/payments/paid.ts'
import { findTransfer } from '../../../src/store/payments/transfers.ts'
import { openRawStore } from '../../../src/store/raw-store.ts'
import { MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { indexRecorded } from '../../support/detected-index.ts'
import { indexFaults } from '../../support/index-check.ts'
import { logicalDump } from '../../support/logical-dump.ts'
import { addressNo, samplePayment, sampleTransfer } from '../../support/payment-samples.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { rejectionOf } from '../../support/rejection.ts'
import {
  INDEXED,
  RELEASED_FORMATS,
  type ReleasedFormat,
  releasedFormat,
  unpackFormat,
} from '../../support/released-formats.ts'
import { stampAs } from '../../support/stamp-as.ts'

setDefaultTimeout(60_000)

const chain = recordedChain()
const NETWORK = chain.zerostate(MASTERCHAIN)!.id.file_hash.toString('hex')

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tonlith-formats-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Opens each store as the program does. */
const OPEN: Readonly<Record<ReleasedFormat['store'], (data: string) => Promise<{ close(): Promise<void> }>>> = {
  index: async (data) => (await openIndexStore(join(data, 'index'), NETWORK, { older: 'upgrade' })).environment,
  operator: (data) => openKeyStore(data),
  metadata: (data) => openMetadataStore(join(data, 'metadata')),
  payments: (data) => openPaymentStore(data),
  'dev chain': (data) => openDevChain(join(data, 'chain')),
}

const versionIn = async (folder: string): Promise<number> => {
  const raw = await openRawStore(folder, 'none')
  await raw.close()
  return raw.stamp.version
}

const nameOf = ({ store, version }: ReleasedFormat): string => `${store} ${version}`

describe('every format that was released', () => {
  test('has a store that was written then', async () => {
    for (const store of Object.keys(OPEN) as ReleasedFormat['store'][]) {
      await (await OPEN[store](data)).close()
      const rows = RELEASED_FORMATS.filter((format) => format.store === store)
      const current = await versionIn(join(data, rows[0]!.place))
      expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: current }, (_, i) => i + 1))
      expect(rows.filter(({ now }) => now === 'current').map(({ version }) => version)).toEqual([current])
    }
  })

  test.each(RELEASED_FORMATS.map((format) => [nameOf(format), format] as const))('%s', async (_, format) => {
    const folder = unpackFormat(format, data)
    expect(await versionIn(folder)).toBe(format.version)
    const before = readFileSync(dataFile(folder))
    if (format.now === 'refused') {
      const { kind, message } = (await rejectionOf(OPEN[format.store](data)))!
      expect(kind).toBe('invalid')
      expect(message).toContain(`version ${format.version}, this program's is`)
      expect(message).toContain('Nothing was changed')
      expect(readFileSync(dataFile(folder)).equals(before)).toBe(true)
      return
    }
    await (await OPEN[format.store](data)).close()
    expect(await versionIn(folder)).toBe(RELEASED_FORMATS.findLast(({ store }) => store === format.store)!.version)
  })
})

test.each(RELEASED_FORMATS.filter(({ now }) => now === 'current').map((format) => [nameOf(format), format] as const))(
  'a newer format than %s is left alone',
  async (_, format) => {
    const folder = unpackFormat(format, data)
    await stampAs(folder, format.version + 1)
    const before = readFileSync(dataFile(folder))
    const { kind, message } = (await rejectionOf(OPEN[format.store](data)))!
    expect(kind).toBe('unsupported')
    expect(message).toContain(`has a newer format (version ${format.version + 1}, this program's is ${format.version})`)
    expect(readFileSync(dataFile(folder)).equals(before)).toBe(true)
  },
)

describe('an index', () => {
  const open = (folder: string): Promise<OpenIndexKeeping> =>
    openIndexKeeping({
      folder,
      network: NETWORK,
      chosen: { read: () => undefined },
      retain: 'forever',
      fetchAccount: async () => {
        throw new Error('nobody asks')
      },
      detection: undefined,
    })

  /** What an index holds that is opened with today's code and left alone until there is nothing to be done any more. */
  const settled = async (folder: string) => {
    const keeping = await open(folder)
    const [from, upgradedFrom] = [keeping.actionsFrom(), keeping.upgradedFrom]
    while (keeping.prune());
    expect(keeping.actionsFrom()).toBeNull()
    await keeping.close()
    const store = await openIndexStore(folder, NETWORK, { readOnly: true })
    const [dump, faults] = [logicalDump(store), indexFaults(store)]
    await store.environment.close()
    return { from, upgradedFrom, dump, faults }
  }

  let fresh: Awaited<ReturnType<typeof settled>>['dump'] | undefined
  const freshDump = async () => {
    if (fresh) return fresh
    const folder = join(data, 'fresh')
    await (await open(folder)).close()
    const index = await openIndexStore(folder, NETWORK)
    const { first, last } = INDEXED
    await indexRecorded(
      index,
      chain,
      Array.from({ length: last - first + 1 }, (_, i) => first + i),
    )
    await index.environment.close()
    fresh = (await settled(folder)).dump
    return fresh
  }

  const kept = RELEASED_FORMATS.filter(({ store, now }) => store === 'index' && now !== 'refused')
  test.each(kept.map((format) => [nameOf(format), format] as const))(
    'of %s answers as one that is made today',
    async (_, format) => {
      const folder = unpackFormat(format, data)
      const { from, upgradedFrom, dump, faults } = await settled(folder)
      expect(upgradedFrom).toBe(format.now === 'upgraded' ? format.version : undefined)
      expect(faults).toEqual([])
      expect(dump).toEqual(await freshDump())
      if (format.now === 'upgraded') expect(from).toBe(INDEXED.last + 1)
      expect((await settled(folder)).upgradedFrom).toBeUndefined()
    },
  )

  test('is not upgraded by who has not claimed it', async () => {
    const folder = unpackFormat(releasedFormat('index', 2), data)
    const { message } = (await rejectionOf(openIndexStore(folder, NETWORK, { readOnly: true })))!
    expect(message).toContain('a server upgrades it in place when it starts')
    await (await openIndexStore(folder, NETWORK, { older: 'accept' })).environment.close()
    expect(await versionIn(folder)).toBe(2)
  })
})

test('keys and chosen accounts of an operator', async () => {
  unpackFormat(releasedFormat('operator', 1), data)
  const keys = await openKeyStore(data)
  expect(listKeys(keys).map(({ name, owner, plan, revoked }) => [name, owner, plan, revoked])).toEqual([
    ['first', 'ann', 'free', null],
    ['second', 'ann', 'free', 1_700_000_100],
  ])
  expect(findKey(keys, 'secret of the first key')?.name).toBe('first')
  await keys.close()
  const chosen = await openChosenStore(data)
  const raw = (n: number) => `0:${n.toString(16).padStart(64, '0')}`
  expect(listChosen(chosen)).toEqual([1, 2].map((n) => ({ address: raw(n), since: 1_700_000_000 })))
  await chosen.close()
})

test('documents of tokens', async () => {
  const store = await openMetadataStore(unpackFormat(releasedFormat('metadata', 1), data))
  expect(readDocument(store, 'https://example.test/a.json')?.document).toEqual({
    _: 'ready',
    members: [['name', '"A jetton"']],
  })
  expect(readDocument(store, 'https://example.test/b.json')?.failures).toBe(2)
  await store.close()
})

test('merchants, their transfers, payments and webhooks', async () => {
  unpackFormat(releasedFormat('payments', 1), data)
  const store = await openPaymentStore(data)
  const [merchant] = listMerchants(store)
  expect(merchant?.webhook.url).toBe('https://example.test/hook')
  expect(findMerchantKey(store, `key-${merchant!.id}`)?.merchant.id).toBe(merchant!.id)
  const paid = findTransfer(store, sampleTransfer(1).reference)
  expect(paid?.payments).toEqual([samplePayment(1)])
  expect(paid?.recipient).toEqual(addressNo(2))
  expect([2, 3].map((n) => findTransfer(store, sampleTransfer(n).reference)?.payments)).toEqual([[], []])
  expect(paymentCursor(store, merchant!.network)?.index).toBe('ab')
  const logged = listLogged(store, merchant!.id, { limit: 10 })
  expect(logged.items.map(({ delivery }) => delivery.state)).toEqual(['waiting', 'waiting', 'waiting'])
  await store.close()
})

test('the chain of a network of one’s own goes on', async () => {
  const folder = unpackFormat(releasedFormat('dev chain', 1), data)
  const stored = await openStoredChain(folder, () => {
    throw new Error('there is one')
  })
  const { seqno } = stored.head
  expect(seqno).toBeGreaterThanOrEqual(3)
  const [first, newest] = [stored.masterchain(1)!, stored.masterchain(seqno)!]
  expect(newest.state.hash()).not.toEqual(first.state.hash())
  await stored.close()
})
