import { createKeylessShare } from '../../src/api/merchant/keyless-share.ts'
import type { MerchantParts } from '../../src/api/merchant/parts.ts'
import { createTransfer, type TransferParts, UNPAID_LIMITS } from '../../src/payments/create-transfer.ts'
import { createGroupCommit } from '../../src/store/group-commit.ts'
import type { PaymentStore } from '../../src/store/payments/environment.ts'
import { fakeContracts } from './fake-contracts.ts'

/** 2023-11-14T22:13:20Z */
export const NOW = 1_700_000_000_000

/** What transfers are made with, over a store and no contracts, with a part of it replaced. */
export const transferParts = (store: PaymentStore, changes: Partial<TransferParts> = {}): TransferParts => ({
  store,
  writes: createGroupCommit(store),
  network: 'dev',
  jettons: { indexed: () => undefined, documentOf: () => undefined, careless: false },
  methods: async () => fakeContracts({}),
  isBounceable: async () => false,
  mustSee: () => {},
  lifetime: 86_400,
  limits: UNPAID_LIMITS,
  now: () => NOW,
  ...changes,
})

/** What the merchant API takes, over such parts. */
export const merchantParts = (parts: TransferParts, changes: Partial<MerchantParts> = {}): MerchantParts => ({
  network: parts.network,
  store: parts.store,
  create: (order, signal) => createTransfer(parts, order, signal),
  webhooksDue: () => {},
  keylessRps: 0,
  keylessShare: createKeylessShare(parts.lifetime, parts.now),
  merchantRps: 0,
  now: parts.now,
  ...changes,
})
