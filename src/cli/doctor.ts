import { systemClock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import { silentLogger } from '../common/logger.ts'
import { withoutCredentials } from '../common/url-text.ts'
import type { Resolved } from '../config/resolve.ts'
import type { Settings } from '../config.ts'
import { type Examination, examineServer } from '../liteserver/examine.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import { createTrust } from '../liteserver/trust.ts'
import { describeSettings } from './config.ts'
import { diskFinding, lmdbFinding } from './doctor-disk.ts'
import { type Finding, findingsJson, findingsText, isSound } from './doctor-finding.ts'
import { clockFinding, poolFinding, serverFindings } from './doctor-servers.ts'
import { storeFindings } from './doctor-stores.ts'
import { networkOf } from './index-messages.ts'
import { networkServers, serversOf } from './network-servers.ts'
import { createTrustStore } from './trust-store.ts'

const QUESTION_MS = 5_000
/** The way from the init block to a head of now takes many proofs. */
const TOTAL_MS = 60_000

const configFinding = ({ effective }: Resolved): Finding => {
  const set = effective.filter(({ text, origin }) => text !== undefined && origin !== 'default')
  return {
    subject: 'config',
    verdict: 'ok',
    text: set.length === 0 ? 'only defaults' : describeSettings(set).join('; '),
    figures: {
      settings: effective.map(({ setting, text, origin }) => ({
        key: setting.key,
        value: setting.secret || text === undefined ? null : withoutCredentials(text),
        origin: text === undefined ? null : origin,
      })),
    },
  }
}

const failed = (subject: string, error: unknown): Finding => {
  if (!isTonlithError(error)) throw error
  return { subject, verdict: 'failed', text: error.message }
}

const examineAll = (
  { zeroState, initBlock, liteservers }: GlobalConfig,
  { trust: level, data }: Settings,
): Promise<Examination[]> => {
  const { load } = createTrustStore(data, silentLogger)
  const trust = createTrust({ level, zeroState, initBlock, store: { load, save: () => {} } })
  const options = { clock: systemClock, trust, zeroState, questionMs: QUESTION_MS, totalMs: TOTAL_MS }
  return Promise.all(liteservers.map((endpoint) => examineServer(endpoint, options)))
}

/** One set of liteservers: of the network, or of a plan that has its own. */
const poolFindings = async (
  load: () => Promise<GlobalConfig>,
  settings: Settings,
  of: string,
): Promise<{ findings: Finding[]; found: readonly Examination[]; network?: string }> => {
  try {
    const servers = await load()
    const found = await examineAll(servers, settings)
    const findings = serverFindings(found, Math.floor(systemClock.now() / 1000), of)
    return { findings: [...findings, poolFinding(found, of)], found, network: networkOf(servers.zeroState) }
  } catch (error) {
    return { findings: [failed(`${of}liteservers`, error)], found: [] }
  }
}

const examine = async (resolved: Resolved): Promise<Finding[]> => {
  const { settings } = resolved
  const common = await poolFindings(() => networkServers(settings), settings, '')
  const ofPlans = await Promise.all(
    settings.plans.flatMap(({ name, globalConfig }) =>
      globalConfig === undefined ? [] : [poolFindings(() => serversOf(globalConfig), settings, `plan ${name}: `)],
    ),
  )
  return [
    configFinding(resolved),
    clockFinding(common.found),
    diskFinding(settings.data, systemClock),
    await lmdbFinding(),
    ...[common, ...ofPlans].flatMap(({ findings }) => findings),
    ...(await storeFindings(settings.data, common.network)),
  ]
}

/**
 * Looks at all that `serve` would need with these settings, and prints what it finds. Changes nothing. Gives the exit
 * code: 0 unless something failed.
 * @param resolve reads the settings
 * @throws UsageError for a flag with a bad value
 */
export const doctor = async (
  resolve: () => Promise<Resolved>,
  asJson: boolean,
  print: (line: string) => void,
): Promise<number> => {
  const findings = await resolve().then(examine, (error) => [failed('config', error)])
  for (const line of asJson ? [findingsJson(findings)] : findingsText(findings)) print(line)
  return isSound(findings) ? 0 : 1
}
