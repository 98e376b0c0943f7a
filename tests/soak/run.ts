import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { FAULTS, type FaultName } from './faults.ts'
import { tableOf } from './report.ts'
import { runSoak } from './soak.ts'

/*
 * `npm run soak`: SOAK_MINUTES=30 says for how long, SOAK_SEED=7 which faults are made and when (random unless told),
 * SOAK_ONLY=cut,silence makes these only, SOAK_FLAGS='--http-workers 2' gives the gateway more flags, SOAK_REPORT=FILE
 * writes all that was seen as JSON.
 */

const env = (name: string): string | undefined => process.env[name] || undefined

const minutes = Number(env('SOAK_MINUTES') ?? 30)
const seed = Number(env('SOAK_SEED') ?? randomInt(2 ** 31))
const names: readonly string[] = FAULTS.map(({ name }) => name)
const only = env('SOAK_ONLY')?.split(',')
for (const name of only ?? [])
  if (!names.includes(name)) throw new Error(`no such fault: ${name} (there are ${names.join(', ')})`)

console.log(`a soak of ${minutes} minutes with SOAK_SEED=${seed}`)
const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
const report = await runSoak({
  seed,
  minutes,
  ...(only && { only: only as FaultName[] }),
  flags: env('SOAK_FLAGS')?.split(' ') ?? [],
  say: console.log,
  signal: controller.signal,
})
console.log(tableOf(report))
const file = env('SOAK_REPORT')
if (file) writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`)
if (report.failures.length > 0) {
  console.log(`the schedule so far: ${JSON.stringify(report.faults.map(({ tally, ...fault }) => fault))}`)
  process.exit(1)
}
