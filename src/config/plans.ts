import type { Plan } from '../common/plans.ts'
import { fileOrUrl, type Kind } from './kinds.ts'

const FORM = 'NAME=RPS or NAME=RPS@GLOBAL_CONFIG, with commas between'
const PLAN = /^([a-z][a-z0-9_-]{0,31})=(\d{1,7})(?:@(.+))?$/

const parsePlan = (text: string, folder: string): Plan => {
  const [, name, rps, config] = PLAN.exec(text.trim()) ?? []
  if (name === undefined) throw new Error(FORM)
  const globalConfig = config === undefined ? {} : { globalConfig: fileOrUrl.parse(config, folder) }
  return { name, rps: Number(rps), ...globalConfig }
}

const FIELDS = ['rps', 'global_config']

const planText = ([name, plan]: [string, unknown]): string => {
  const fields = typeof plan === 'object' && plan !== null ? (plan as Record<string, unknown>) : {}
  const { rps, global_config: config } = fields
  const known = Object.keys(fields).every((field) => FIELDS.includes(field))
  if (!known || !['number', 'bigint'].includes(typeof rps) || !['string', 'undefined'].includes(typeof config))
    throw new Error(`a table of plans, each with rps and, for liteservers of its own, global_config (look at ${name})`)
  return config === undefined ? `${name}=${rps}` : `${name}=${rps}@${config}`
}

/** The plans of API keys; keys of a plan that is not among them count as of the first one. */
export const plans: Kind<readonly Plan[]> = {
  form: 'NAME=RPS[@FILE|URL],...',
  parse(text, folder) {
    const list = text.split(',').map((plan) => parsePlan(plan, folder))
    if (new Set(list.map(({ name }) => name)).size !== list.length) throw new Error(`${FORM}, each name once`)
    return list
  },
  fromTable: (table) => Object.entries(table).map(planText).join(','),
}
