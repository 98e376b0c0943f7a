import { createKeylessShare } from '../api/merchant/keyless-share.ts'
import type { MerchantParts } from '../api/merchant/parts.ts'
import { readAccount } from '../chain/accounts.ts'
import type { Chain } from '../chain/chain.ts'
import { getMethodsAt } from '../chain/get-methods.ts'
import { systemClock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { StopStack } from '../common/shutdown.ts'
import { walletCode } from '../contracts/wallet-info-codes.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import { createTransfer, type TransferParts, UNPAID_LIMITS } from '../payments/create-transfer.ts'
import { createGroupCommit } from '../store/group-commit.ts'
import { openPaymentStore, type PaymentStore } from '../store/payments/environment.ts'
import { pruneTransfers } from '../store/payments/transfers.ts'
import { openForServer } from './open-for-server.ts'
import { type PaymentSightOptions, paymentSight } from './payment-sight.ts'
import type { AllCounts } from './shared-counts.ts'

/** What payments take of the served network. */
export interface PaymentsOptions extends PaymentSightOptions {
  network: KeyNetwork
  /** Removes old transfers, as one process does for all. */
  prunes: boolean
  /** What counts for several processes. */
  counts: AllCounts | undefined
  chain: Chain
  logger: Logger
  parts: StopStack
}

const PRUNE_MS = 600_000
const PRUNED_AT_ONCE = 1_000

/** Removes old transfers now and then, in small steps. */
const keepPruned = (store: PaymentStore, retain: number, logger: Logger): (() => void) => {
  const step = (): void => {
    try {
      const removed = pruneTransfers(store, Math.floor(systemClock.now() / 1000) - retain, PRUNED_AT_ONCE)
      timer = setTimeout(step, removed < PRUNED_AT_ONCE ? PRUNE_MS : 0)
    } catch (err) {
      logger.error({ err }, 'transfers that expired cannot be removed')
      timer = setTimeout(step, PRUNE_MS)
    }
  }
  let timer = setTimeout(step, PRUNE_MS)
  return () => clearTimeout(timer)
}

/** Opens what is kept of payments, and gives what the merchant API needs. */
export const startPayments = async (
  options: PaymentsOptions,
): Promise<Omit<MerchantParts, 'webhooksDue' | 'keylessRps' | 'merchantRps'>> => {
  const { settings, network, counts, chain, index, logger, parts } = options
  const store = await openForServer(
    (readOnly) => openPaymentStore(settings.data, readOnly),
    (reason) => logger.warn({ reason }, 'payments cannot be read: the merchant API answers nothing'),
  )
  if (store) {
    parts.add(store.close)
    if (options.prunes) parts.add(keepPruned(store, settings.payments_retain, logger))
  }
  const mustSee = paymentSight(options)
  const transferParts = (open: PaymentStore): TransferParts => ({
    store: open,
    writes: createGroupCommit(open),
    network,
    jettons: {
      indexed: (master) => index()?.reader()?.entities('jetton_master', [master])[0]?.entity.jetton_content,
      documentOf: (uri) => index()?.documents()?.(uri),
      careless: network === 'dev' && settings.metadata_fetch === 'off',
    },
    methods: (signal) => getMethodsAt(chain, { seqno: undefined, signal }),
    isBounceable: async (address, signal) => {
      const { code } = await readAccount(chain, address, { seqno: undefined, signal })
      return code !== null && walletCode(code) === undefined
    },
    mustSee,
    lifetime: settings.payments_lifetime,
    limits: UNPAID_LIMITS,
    now: systemClock.now,
  })
  const made = store && transferParts(store)
  return {
    network,
    store,
    create: async (order, signal) => {
      if (!made) throw new TonlithError('unavailable', 'payments cannot be written now', { code: 503 })
      return createTransfer(made, order, signal)
    },
    keylessShare:
      counts?.keylessShare(settings.payments_lifetime) ??
      createKeylessShare(settings.payments_lifetime, systemClock.now),
    now: systemClock.now,
  }
}
