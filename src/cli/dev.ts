import { hash, randomBytes } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { flagOf, LIVE_KEYS, RECORDED_KEYS, SETTINGS, type Settings } from '../config.ts'
import { startLive } from './dev-live.ts'
import { startRecorded } from './dev-recorded.ts'
import { type SpawnWorkers, type Started, startParts } from './start-parts.ts'

/**
 * The seed of the dev liteserver's key. It is the same at every start, so that clients that were told the key find the
 * server again; what it gives out is no secret.
 */
const LITESERVER_SEED = hash('sha256', 'tonlith dev liteserver', 'buffer')

const flagNamed = (key: (typeof LIVE_KEYS)[number]): string => flagOf(SETTINGS.find((setting) => setting.key === key)!)!

/** True where the settings want a recorded network. Throws `invalid` when they want things of a live one, too. */
const isRecorded = (settings: Settings): boolean => {
  if (RECORDED_KEYS.every((key) => settings[key] === undefined)) return false
  const live = LIVE_KEYS.find((key) => settings[key] !== undefined)
  if (live !== undefined) throw new TonlithError('invalid', `${flagNamed(live)} is of no use to a recorded network`)
  return true
}

/**
 * Runs a network, live or recorded: its liteserver, and the gateway that reads it over TCP as it would read any other.
 * Gives what was started.
 * @throws TonlithError when it cannot start; nothing runs then
 */
export const dev = (settings: Settings, print: (line: string) => void, spawn: SpawnWorkers): Promise<Started> =>
  startParts(settings, spawn, async (common) => {
    const apiKey = randomBytes(18).toString('base64url')
    const options = { ...common, settings, print, seed: LITESERVER_SEED, apiKey }
    await (isRecorded(settings) ? startRecorded(options) : startLive({ ...options, spawnDev: spawn.dev }))
  })
