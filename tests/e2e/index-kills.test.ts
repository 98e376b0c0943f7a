import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import type { IndexDump } from '../support/index-dump.ts'
import { dumpOf, runKillTrial } from '../support/index-kills.ts'
import { untilReady } from '../support/ready.ts'
import { startServed } from '../support/served-gateway.ts'

/**
 * The compiled program indexes the recorded chain through liteservers that die, are late and lie, and is killed with
 * SIGKILL at random points. What is stored in the end is equal, byte for byte, to an undisturbed run.
 * INDEX_KILL_SEEDS=FIRST-LAST runs other seeds.
 */

const HEAD = 130
const KILLS = 3
const WITHIN_MS = 1_500
/** Enough for a machine that does other things too. */
const PATIENCE_MS = 150_000

const [first = 1, last = 1] = (process.env.INDEX_KILL_SEEDS ?? '1-1').split('-').map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, i) => first + i)

let alone: Lonely
let undisturbed: IndexDump
beforeAll(async () => {
  alone = await copyExecutable()
  const archive = await startArchive({ head: HEAD })
  const servers = [{ ...archive.address, key: archive.publicKey }]
  const flags = ['--trust', 'proofs', '--index-from', 'genesis', '--index-retain', 'forever']
  const gateway = await startServed(alone, 'undisturbed', servers, ...flags)
  await untilReady(gateway.url, PATIENCE_MS)
  await gateway.end()
  await archive.stop()
  undisturbed = await dumpOf(alone, 'undisturbed')
}, 2 * PATIENCE_MS)
afterAll(() => alone.remove())

describe('an index that is killed again and again', () => {
  test('was whole without that', () => expect(undisturbed.rows).toBeGreaterThan(10_000))

  for (const seed of seeds) {
    test(
      `seed ${seed}`,
      async () => {
        const dump = await runKillTrial(alone, {
          seed,
          head: HEAD,
          kills: KILLS,
          withinMs: WITHIN_MS,
          patienceMs: PATIENCE_MS,
        })
        expect(dump).toEqual(undisturbed)
      },
      PATIENCE_MS + 60_000,
    )
  }
})
