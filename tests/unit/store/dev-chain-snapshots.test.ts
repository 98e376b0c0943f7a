import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Zerostate } from '../../../src/devnet/chain.ts'
import { openStoredChain } from '../../../src/devnet/stored-chain.ts'
import { removeNetwork, restoreSnapshot, snapshotNames, takeSnapshot } from '../../../src/store/dev-chain-snapshots.ts'
import { devChainFolder } from '../../../src/store/dev-chain-store.ts'
import { dataFile } from '../../../src/store/disk.ts'
import { MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { recordedSteps, recordedZerostates } from '../../support/recorded-steps.ts'
import { rejectionOf } from '../../support/rejection.ts'

const recorded = recordedChain()
const steps = [...recordedSteps(recorded)]

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tonlith-snapshots-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const open = () => openStoredChain(devChainFolder(data), () => recordedZerostates(recorded))
type Opened = Awaited<ReturnType<typeof open>>

const grow = (chain: Opened, until: number): void => {
  for (const step of steps.slice(chain.last, until)) chain.append(step)
}

const folder = (name: string): string => join(data, 'snapshots', name)

describe('a snapshot', () => {
  test('brings the chain back to where it was, and it goes on from there', async () => {
    const chain = await open()
    grow(chain, 10)
    await takeSnapshot(chain, data, 'before')
    grow(chain, 25)
    await takeSnapshot(chain, data, 'later.1')
    await chain.close()
    expect(snapshotNames(data)).toEqual(['before', 'later.1'])
    mkdirSync(join(data, 'index'))
    await restoreSnapshot(data, 'before')
    expect(existsSync(join(data, 'index'))).toBe(false)
    const again = await open()
    expect(again.last).toBe(10)
    expect(again.masterchain(11)).toBeUndefined()
    grow(again, 12)
    expect(again.masterchain(12)!.state.hash()).toEqual(recorded.masterchain(12)!.state.hash())
    await again.close()
    await restoreSnapshot(data, 'later.1')
    const last = await open()
    expect(last.last).toBe(25)
    await last.close()
    expect(snapshotNames(data)).toEqual(['before', 'later.1'])
  })

  test('is taken while blocks are added', async () => {
    const chain = await open()
    grow(chain, 5)
    const taken = takeSnapshot(chain, data, 'busy')
    grow(chain, 15)
    await taken
    await chain.close()
    await restoreSnapshot(data, 'busy')
    const again = await open()
    expect(again.last).toBeGreaterThanOrEqual(5)
    const top = again.masterchain(again.last)!
    expect(top.state.hash()).toEqual(recorded.masterchain(again.last)!.state.hash())
    await again.close()
  })

  test('has a plain name, once', async () => {
    const chain = await open()
    for (const name of ['', '.', '..', '../chain', 'a/b', '/tmp/a', 'a\\b', '-a', 'a'.repeat(65), 'a\0b', 'ü']) {
      expect((await rejectionOf(takeSnapshot(chain, data, name)))?.message).toContain('the name of a snapshot')
      expect((await rejectionOf(restoreSnapshot(data, name)))?.message).toContain('the name of a snapshot')
    }
    expect(existsSync(join(data, 'snapshots'))).toBe(false)
    await takeSnapshot(chain, data, 'a')
    expect((await rejectionOf(takeSnapshot(chain, data, 'a')))?.message).toBe('there is a snapshot a already')
    await chain.close()
  })

  test('is not restored where it is missing, damaged or the chain is open', async () => {
    expect((await rejectionOf(restoreSnapshot(data, 'none')))?.message).toBe(
      'there is no snapshot none; there are none yet',
    )
    const chain = await open()
    grow(chain, 3)
    await takeSnapshot(chain, data, 'whole')
    await takeSnapshot(chain, data, 'cut')
    truncateSync(dataFile(folder('cut')), 20_000)
    expect((await rejectionOf(restoreSnapshot(data, 'none')))?.message).toContain('there are: cut, whole')
    expect((await rejectionOf(restoreSnapshot(data, 'whole')))?.message).toBe('another process keeps this network')
    await chain.close()
    expect((await rejectionOf(restoreSnapshot(data, 'cut')))?.message).toContain('is damaged')
    const again = await open()
    expect(again.last).toBe(3)
    await again.close()
  })

  test('takes the place of a damaged chain, and of none of another genesis', async () => {
    const chain = await open()
    grow(chain, 4)
    await takeSnapshot(chain, data, 'good')
    await chain.close()
    truncateSync(dataFile(devChainFolder(data)), 20_000)
    await restoreSnapshot(data, 'good')
    const again = await open()
    expect(again.last).toBe(4)
    await again.close()
    removeNetwork(data)
    const [masterchain, basechain] = recordedZerostates(recorded) as [Zerostate, Zerostate]
    const other = { ...basechain, id: { ...basechain.id, workchain: MASTERCHAIN } }
    const fresh = await openStoredChain(devChainFolder(data), () => [
      other,
      { ...masterchain, id: { ...masterchain.id, workchain: 0 } },
    ])
    await fresh.close()
    expect((await rejectionOf(restoreSnapshot(data, 'good')))?.message).toBe(
      'the snapshot good is of a network that is gone: another genesis',
    )
  })
})

describe('a network that is removed', () => {
  test('leaves snapshots, keys and all else', async () => {
    const chain = await open()
    grow(chain, 3)
    await takeSnapshot(chain, data, 'kept')
    expect(failureOf(() => removeNetwork(data))).toBe('conflict')
    await chain.close()
    for (const name of ['index', 'metadata', 'operator']) {
      mkdirSync(join(data, name))
      writeFileSync(join(data, name, 'file'), 'x')
    }
    removeNetwork(data)
    const left = readdirSync(data).filter((name) => !name.endsWith('.writer'))
    expect(left.sort()).toEqual(['operator', 'snapshots'])
    const fresh = await open()
    expect(fresh.last).toBe(0)
    await fresh.close()
  })

  test('is removed where it stands, not where a link leads', () => {
    const other = join(data, 'elsewhere')
    mkdirSync(other)
    writeFileSync(join(other, 'file'), 'x')
    symlinkSync(other, join(data, 'index'))
    removeNetwork(data)
    expect(existsSync(join(data, 'index'))).toBe(false)
    expect(existsSync(join(other, 'file'))).toBe(true)
  })
})
