import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../src/common/lossless-json.ts'
import { classify, type OnFailure } from '../../src/indexer/classify.ts'
import { actionRow } from './action-row.ts'
import { type ExpectedAction, unfulfilled } from './expected-action.ts'
import { readMainnetTrace } from './mainnet-trace.ts'

/** A trace with the actions that another classifier found in it. */
export interface RecordedCase {
  name: string
  trace_file: string
  expected_actions: ExpectedAction[]
}

/** The cases of a folder by family, those whose trace is there. */
export const recordedCases = (folder: string): [family: string, cases: RecordedCase[]][] =>
  readdirSync(join(folder, 'cases'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [
      name.replace(/\.json$/, ''),
      (parseJson(readFileSync(join(folder, 'cases', name), 'utf8')) as unknown as RecordedCase[]).filter(
        ({ trace_file }) => existsSync(join(folder, trace_file)),
      ),
    ])

/** A recorded trace, with what accounts were. */
export const recordedTrace = (folder: string, { trace_file }: RecordedCase): ReturnType<typeof readMainnetTrace> =>
  readMainnetTrace(join(folder, trace_file))

/** What of a case's actions is missing or different. */
export const failuresOf = (folder: string, recorded: RecordedCase, onFailure?: OnFailure): string[] => {
  const { trace, facts } = recordedTrace(folder, recorded)
  const rows = classify(trace, facts, onFailure).actions.map(actionRow)
  return recorded.expected_actions.flatMap((expected) => unfulfilled(expected, rows))
}
