import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { EMBEDDED } from '../../src/config/kinds.ts'
import type { Entity, EntityKind } from '../../src/model/entities.ts'
import { encodeAccount } from '../../src/store/codecs.ts'
import { storedEntity, storedKinds } from '../../src/store/entity-rows.ts'
import { type IndexStore, openIndexStore } from '../../src/store/index-store.ts'
import { u32Key } from '../../src/store/keys.ts'
import { allAccounts } from '../../src/store/queries/samples.ts'
import { accountRow } from '../../src/store/write-accounts.ts'
import { writeEntities } from '../../src/store/write-entities.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Finished, type Lonely, runExecutable, startExecutable } from '../support/executable.ts'
import { untilReady } from '../support/ready.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { RECORDED_NETWORK, recordedHome } from '../support/recorded-network.ts'
import { globalConfigOf } from '../support/served-gateway.ts'

/** The compiled program compares its index of the recorded network with that network. */

setDefaultTimeout(240_000)

const FOLDER = recordedHome('data')
const last = recordedChain().last

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

const audit = (live: string, ...flags: string[]): Promise<Finished> =>
  runExecutable(alone, ['index', 'verify', '--live', live, '--data', FOLDER, ...flags])

/** The kinds that the recorded network has. */
const KINDS =
  /^\d+ accounts(, \d+ (dns_entry|getgems_sale|jetton_master|jetton_wallet|multisig|multisig_order|nft_collection|nft_item|vesting)){9} at \d+/

describe('while a server keeps the index', () => {
  test('as the network moves on, and at its end, nothing differs', async () => {
    const replay = ['--listen', '127.0.0.1:0', '--liteserver', '127.0.0.1:0', '--replay', '50', '--data', 'data']
    const gateway = await startExecutable(alone, [...RECORDED_NETWORK, ...replay])
    for (;;) {
      const { index } = (await (await fetch(`${gateway.url}/status`)).json()) as { index: { seqno: number | null } }
      if ((index.seqno ?? 0) >= 30) break
      await Bun.sleep(50)
    }
    const moving = await audit('all', '--archive', EMBEDDED)
    expect([moving.code, moving.stdout, moving.stderr]).toEqual([0, expect.stringContaining(' 0 differences\n'), ''])
    const headOf = async (): Promise<number> => {
      const { index } = (await (await fetch(`${gateway.url}/status`)).json()) as { index: { seqno: number } }
      return index.seqno
    }
    while ((await headOf()) < last) await Bun.sleep(200)
    await untilReady(gateway.url)
    const still = await audit('all')
    expect([still.code, still.stderr]).toEqual([0, ''])
    expect(still.stdout).toMatch(KINDS)
    expect(still.stdout).toContain(` at ${last}: 0 differences\n`)
    expect(still.stdout).not.toContain('not compared')
    expect(await gateway.end()).toBe(0)
  })
})

describe('without a server', () => {
  const open = async (): Promise<IndexStore> =>
    openIndexStore(join(alone.folder, FOLDER, 'index'), recordedChain().zerostate(-1)!.id.file_hash.toString('hex'))

  /** Lines of differences and the exit code, with the liteserver of the recording as a configured one. */
  const findings = async (live: string, ...flags: string[]): Promise<[code: number, ...lines: string[]]> => {
    const archive = await startArchive()
    writeFileSync(join(alone.folder, 'net.json'), globalConfigOf([{ ...archive.address, key: archive.publicKey }]))
    const { code, stdout } = await audit(live, '--global-config', 'net.json', '--trust', 'proofs', ...flags)
    await archive.stop()
    return [code, ...stdout.trimEnd().split('\n')]
  }

  test('a seed draws the same accounts again', async () => {
    const found = await findings('3')
    expect(found.slice(0, 2)).toEqual([0, expect.stringMatching(/^seed \d+$/)])
    expect(await findings('3', '--seed', String(found[1]).slice('seed '.length))).toEqual(found)
  })

  test('rows that were altered are found, each with its field and both values', async () => {
    const store = await open()
    const { tables, addresses, environment } = store
    const expected: string[] = []
    const ofKind = (kind: EntityKind): Address[] =>
      [...allAccounts(tables)].map((id) => addresses.of(id)).filter((one) => storedKinds(store, one).includes(kind))
    const alter = (kind: EntityKind, change: (entity: Entity) => Entity[]): string => {
      const address = ofKind(kind).find((one) => !expected.some((line) => line.includes(rawAddress(one))))!
      const rows = storedKinds(store, address).map((one) => storedEntity(store, one, address)!)
      const { last_transaction_lt, code_hash, data_hash } = rows[0]!
      const entities = rows.flatMap(({ entity }) => (entity._ === kind ? change(entity) : [entity]))
      writeEntities(store, [{ address, last_transaction_lt, code_hash, data_hash, entities }])
      return rawAddress(address)
    }
    environment.transaction(() => {
      let was = ''
      const wallet = alter('jetton_wallet', (entity) => {
        if (entity._ !== 'jetton_wallet') return []
        was = String(entity.balance)
        return [{ ...entity, balance: entity.balance + 1n }]
      })
      expected.push(`jetton_wallet ${wallet} balance: ours ${BigInt(was) + 1n}, live ${was}`)
      const other = { workchain: 0, hash: Buffer.alloc(32, 1) }
      const item = alter('nft_item', (entity) => {
        if (entity._ !== 'nft_item') return []
        was = rawAddress(entity.owner_address!)
        return [{ ...entity, owner_address: other }]
      })
      expected.push(`nft_item ${item} owner_address: ours ${rawAddress(other)}, live ${was}`)
      expected.push(`multisig_order ${alter('multisig_order', () => [])} interface: ours no, live yes`)
      const id = [...allAccounts(tables)].find((one) => storedKinds(store, addresses.of(one)).length === 0)!
      const row = accountRow(tables, id)!
      tables.accounts.putSync(u32Key(id), encodeAccount({ ...row, balance: row.balance + 5n }))
      const name = rawAddress(addresses.of(id))
      expected.push(`account ${name} balance: ours ${row.balance + 5n}, live ${row.balance}`)
    })
    await environment.close()
    const [code, ...lines] = await findings('all')
    expect(code).toBe(1)
    expect(lines.filter((line) => line.includes(': ours ')).sort()).toEqual(expected.sort())
    expect(lines).toContainEqual(expect.stringContaining(` at ${last}: 4 differences`))
  })

  test('a signal ends it, also while no liteserver answers', async () => {
    let heard = () => {}
    const connected = new Promise<void>((resolve) => {
      heard = resolve
    })
    const mute = createServer(() => heard())
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as { port: number }
    writeFileSync(
      join(alone.folder, 'mute.json'),
      globalConfigOf([{ host: '127.0.0.1', port, key: Buffer.alloc(32, 9) }]),
    )
    const args = ['index', 'verify', '--live', 'all', '--data', FOLDER, '--global-config', 'mute.json']
    const child = Bun.spawn([alone.executable, ...args], { cwd: alone.folder, stdout: 'pipe', stderr: 'pipe' })
    await connected
    child.kill('SIGINT')
    expect(await child.exited).toBe(130)
    mute.close()
  })
})
