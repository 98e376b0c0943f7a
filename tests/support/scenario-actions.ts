import { recordedText } from './recorded-lines.ts'
import { ALL_SEQNOS, startV3Gateway, type V3Gateway } from './v3-gateway.ts'

/** What the traces of the recorded scenario did, as text that a person can read beside the names of its steps. */

interface Step {
  name: string
  ext_hash: string
  trace: { hash: string; parent: string | null }[]
}

/** An action as it is answered. */
export interface AnsweredAction {
  action_id: string
  type: string
  success: boolean
  transactions: string[]
  details: Record<string, unknown>
  raw_action?: Record<string, unknown>
}

/** A trace as it is answered. */
export interface AnsweredStep {
  name: string
  trace: { trace_info: { classification_state: string }; transactions_order: string[]; actions: AnsweredAction[] }
}

/** Longer lists are told by counts. */
const MOST = 12
const SHOWN = 32
const ADDRESS = /(-?\d+:[0-9A-F]{8})[0-9A-F]{56}/g

const shortened = (text: string): string => {
  const characters = Array.from(text)
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : text
}

const shown = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value).replaceAll(ADDRESS, '$1')
  return JSON.stringify(shortened(value.replaceAll(ADDRESS, '$1'))).slice(1, -1)
}

const isTold = ([, value]: [string, unknown]): boolean =>
  value !== null && value !== false && JSON.stringify(value) !== '{}'

const line = ({ type, success, details }: AnsweredAction): string => {
  const told = Object.entries(details).filter(isTold)
  return [success ? '+' : '-', type, ...told.map(([key, value]) => `${key}=${shown(value)}`)].join(' ')
}

const counted = (actions: readonly AnsweredAction[]): string[] => {
  const kinds = Map.groupBy(actions, ({ type, success }) => `${success ? '+' : '-'} ${type}`)
  return Array.from(kinds, ([kind, members]) => `${kind}: ${members.length}`)
}

/** The traces of all steps that have one, in the order of the scenario. */
export const answeredSteps = async (gateway: V3Gateway, more = ''): Promise<AnsweredStep[]> => {
  const steps = (JSON.parse(recordedText('traces.json')) as Step[]).filter(({ trace }) => trace.length > 0)
  const answered: AnsweredStep[] = []
  for (const { name, trace } of steps) {
    const root = trace.find(({ parent }) => parent === null)!.hash
    const { status, text, json } = await gateway.get(`traces?trace_id=${root}&include_actions=true${more}`)
    const [found] = (json['traces'] ?? []) as AnsweredStep['trace'][]
    if (status !== 200 || !found) throw new Error(`${name}: ${text}`)
    answered.push({ name, trace: found })
  }
  return answered
}

/** The steps with their actions, one a line. */
export const scenarioText = (steps: readonly AnsweredStep[]): string =>
  steps
    .map(({ name, trace: { actions } }) =>
      [name, ...(actions.length > MOST ? counted(actions) : actions.map(line))].join('\n  '),
    )
    .join('\n')

if (import.meta.main) {
  const gateway = await startV3Gateway({ seqnos: ALL_SEQNOS, detects: true })
  process.stdout.write(`${scenarioText(await answeredSteps(gateway))}\n`)
  await gateway.stop()
}
