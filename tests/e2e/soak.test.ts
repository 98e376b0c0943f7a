import { expect, test } from 'bun:test'
import { tableOf } from '../soak/report.ts'
import { runSoak } from '../soak/soak.ts'

/** The soak for some seconds, so that it itself stays alive: `npm run soak` goes on for as long as it is told. */

test('a few faults under load: nothing is lost, nothing is wrong', async () => {
  const lines: string[] = []
  const report = await runSoak({
    seed: 5,
    minutes: 0.25,
    haste: 4,
    only: ['cut', 'lies about anything', 'disk full', 'SIGKILL', 'clock ahead'],
    judgesTime: false,
    say: (line) => lines.push(line),
  })
  if (report.failures.length > 0) console.log([...lines, tableOf(report)].join('\n'))
  expect(report.failures).toEqual([])
  expect(report.faults).not.toEqual([])
  expect(report.payments.events).toBeGreaterThan(0)
}, 180_000)
