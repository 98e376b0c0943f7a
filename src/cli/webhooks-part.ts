import { join } from 'node:path'
import { type Clock, systemClock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { Json } from '../common/lossless-json.ts'
import type { WebhookSample } from '../common/metrics.ts'
import type { StopStack } from '../common/shutdown.ts'
import type { Settings } from '../config.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import { keepLogShort } from '../payments/webhooks/log-retention.ts'
import { createOutbox, type Outbox, type OutboxStatus } from '../payments/webhooks/outbox.ts'
import { createSend } from '../payments/webhooks/send.ts'
import { createTargetGuard } from '../payments/webhooks/target-guard.ts'
import type { PaymentStore } from '../store/payments/environment.ts'
import { claimWriter, type WriterClaim } from '../store/single-writer.ts'

export interface WebhooksOptions {
  store: PaymentStore
  network: KeyNetwork
  settings: Pick<Settings, 'data' | 'webhooks_retry_delays' | 'webhooks_allow_hosts' | 'webhooks_log_retain'>
  logger: Logger
  parts: StopStack
  clock?: Clock
}

/** The sending of webhooks of one network. */
export interface Webhooks {
  /** Something is due now; otherwise it is seen within a second. */
  wake(): void
  /** For operators. */
  status(): { readonly [key: string]: Json }
  /** For metrics. */
  sample(): WebhookSample | undefined
}

const CLAIM_MS = 2_000
const CLAIMED = 'outbox of webhooks'

const senderFile = (data: string, network: KeyNetwork): string => join(data, `payments.${network}.sender`)

/** Whether a process sends the webhooks of a network from this data folder. Throws `unavailable` for missing rights. */
export const isSending = (data: string, network: KeyNetwork): boolean => {
  try {
    claimWriter(senderFile(data, network), CLAIMED).release()
    return false
  } catch (error) {
    if (isTonlithError(error, 'conflict')) return true
    throw error
  }
}

/** After a mistake of ours. */
const RESTART_MS = 10_000

/** Waits until no other process sends webhooks of this network from this folder. Undefined once it is ended. */
const claim = async (
  file: string,
  { logger, clock, signal }: { logger: Logger; clock: Clock; signal: AbortSignal },
): Promise<WriterClaim | undefined> => {
  let told = false
  while (!signal.aborted) {
    try {
      return claimWriter(file, CLAIMED)
    } catch (error) {
      if (!isTonlithError(error)) throw error
      if (!told) logger.warn({ reason: error.message }, 'webhooks are not sent by this process for now')
      told = true
    }
    await clock.sleep(CLAIM_MS, signal)
  }
  return undefined
}

/** Does what ends with `signal`, and begins it anew after a mistake in it: webhooks that wait are not given up for one. */
const again = async (
  work: () => Promise<void>,
  { logger, clock = systemClock }: Pick<WebhooksOptions, 'logger' | 'clock'>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      await work()
    } catch (err) {
      logger.error({ err }, 'the sending of webhooks broke; it begins anew')
      await clock.sleep(RESTART_MS, signal)
    }
  }
}

const statusOf = (status: OutboxStatus | undefined): { readonly [key: string]: Json } => {
  if (!status) return { state: 'none' }
  const { paused, ...counts } = status
  return { state: paused ? 'paused' : 'on', ...counts }
}

/** Begins to send the webhooks of a network; it ends with `parts`. */
export const startWebhooks = (options: WebhooksOptions): Webhooks => {
  const { store, network, settings, logger, parts, clock = systemClock } = options
  const ending = new AbortController()
  const { signal } = ending
  let outbox: Outbox | undefined

  const work = async (): Promise<void> => {
    const held = await claim(senderFile(settings.data, network), { logger, clock, signal })
    if (!held) return
    const guard = createTargetGuard({ network, allowHosts: settings.webhooks_allow_hosts })
    const send = createSend({ guard, clock })
    const policy = { delays: settings.webhooks_retry_delays, random: Math.random }
    const retainMs = settings.webhooks_log_retain * 1_000
    const deliver = async (): Promise<void> => {
      outbox = createOutbox({ store, network, send, policy, clock, logger, signal })
      await outbox.run()
    }
    const keep = (): Promise<void> => keepLogShort({ store, retainMs, clock, logger, signal })
    await Promise.all([again(deliver, options, signal), again(keep, options, signal)])
    outbox = undefined
    held.release()
  }

  const running = work().catch((err) => logger.error({ err }, 'webhooks are not sent'))
  parts.add(async () => {
    ending.abort()
    await running
  })
  return {
    wake: () => outbox?.wake(),
    status: () => statusOf(outbox?.status()),
    sample: () => outbox?.status(),
  }
}
