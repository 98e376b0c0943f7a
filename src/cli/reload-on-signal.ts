import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { type Reloaded, reload } from '../config/reload.ts'
import type { Resolved } from '../config/resolve.ts'
import { UsageError } from '../config/usage-error.ts'

const tell = ({ changed, waiting }: Reloaded, logger: Logger): void => {
  if (waiting.length > 0) logger.warn({ settings: waiting }, 'settings that changed count from the next start on')
  if (Object.keys(changed).length > 0) logger.info(changed, 'settings changed')
  else logger.info({}, 'settings were read again; nothing changed')
}

/**
 * Gives what reads the settings again and takes over those that may change while the program runs, with a line in the log
 * of what changed. Settings that are wrong change nothing.
 * @param current what the program was started with; its `settings` are changed in their place
 * @param reloaded is told when any has changed
 */
export const createReload = (
  current: Resolved,
  load: () => Promise<Resolved>,
  logger: Logger,
  reloaded: () => void,
): (() => Promise<void>) => {
  const { settings } = current
  let { effective } = current
  return async () => {
    try {
      const outcome = reload(settings, effective, await load())
      effective = outcome.effective
      tell(outcome, logger)
      reloaded()
    } catch (err) {
      if (isTonlithError(err) || err instanceof UsageError)
        logger.error({}, `the settings cannot be read again: ${err.message}; nothing changed`)
      else logger.error({ err }, 'the settings cannot be read again; nothing changed')
    }
  }
}
