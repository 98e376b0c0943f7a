import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { openStoredChain } from '../../src/devnet/stored-chain.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { sameTree } from '../support/same-tree.ts'

/**
 * A process that adds blocks to a chain on the disk is killed with SIGKILL at random moments. What it said is there is
 * there, and in the end every block and every cell of the last states is. CHAIN_KILLS=N kills so often, CHAIN_KILL_SEED=N
 * at other moments.
 */

const KILLS = Number(process.env.CHAIN_KILLS ?? 5)
const SEED = Number(process.env.CHAIN_KILL_SEED ?? 1)
const GROWER = resolve(import.meta.dir, '../support/growing-chain.ts')
/** So many blocks are added between two kills, at most. */
const STRIDE = Math.max(2, Math.floor(600 / KILLS))
const TRIAL_MS = 60_000 + KILLS * 10_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-chain-kills-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const recorded = recordedChain()

/** Lets the process add blocks, kills it some time after so many; gives the last one that it said is there. */
const growAndKill = async (blocks: number, laterMs: number): Promise<number> => {
  const child = Bun.spawn([process.execPath, GROWER, join(folder, 'chain')], { stdout: 'pipe', stderr: 'inherit' })
  let said = 0
  let count = 0
  let rest = ''
  for await (const bytes of child.stdout) {
    const lines = (rest + Buffer.from(bytes).toString()).split('\n')
    rest = lines.pop()!
    for (const line of lines) said = Number(line)
    count += lines.length
    if (count >= blocks) setTimeout(() => child.kill('SIGKILL'), laterMs)
  }
  await child.exited
  return said
}

const reopened = () => openStoredChain(join(folder, 'chain'), () => [])

describe('a chain whose process is killed', () => {
  test(
    `${KILLS} times has every block that was said to be there, and no other`,
    async () => {
      const random = seededRandom(SEED)
      let last = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const said = await growAndKill(1 + Math.floor(random() * STRIDE), random() * 12)
        const chain = await reopened()
        expect(chain.last).toBeGreaterThanOrEqual(Math.max(said, last))
        last = chain.last
        const top = chain.masterchain(last)!
        expect(top.id).toEqual(recorded.masterchain(last)!.id)
        for (const list of recorded.shards(0).values())
          for (const { id, mc_seqno } of list) expect(chain.block(id) !== undefined).toBe(mc_seqno <= last)
        await chain.close()
        if (last === recorded.last) break
      }
      await growAndKill(Number.POSITIVE_INFINITY, 0)
      const chain = await reopened()
      expect(chain.last).toBe(recorded.last)
      for (const workchain of [MASTERCHAIN, 0])
        for (const list of recorded.shards(workchain).values()) {
          for (const { id, data, state, mc_seqno } of list) {
            const found = chain.block(id)!
            expect(found.data.equals(data) && found.mc_seqno === mc_seqno).toBe(true)
            expect(found.state.hash()).toEqual(state.hash())
          }
          const top = list.at(-1)!
          expect(sameTree(chain.block(top.id)!.state, top.state)).toBe(true)
        }
      await chain.close()
    },
    TRIAL_MS,
  )
})
