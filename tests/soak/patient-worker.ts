import { setPriority } from 'node:os'

/*
 * Works a little, again and again, at the priority that the index's thread has, and tells each time how many times as long
 * as its work this took: 1 on a machine that has a processor left.
 */

const NICENESS = 10
const WORK_MS = 15
const REST_MS = 300

setPriority(0, NICENESS)

const worked = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

for (;;) {
  const [begun, before] = [performance.now(), worked()]
  while (worked() - before < WORK_MS) Math.sqrt(begun)
  process.stdout.write(`${(performance.now() - begun) / WORK_MS}\n`)
  await Bun.sleep(REST_MS)
}
