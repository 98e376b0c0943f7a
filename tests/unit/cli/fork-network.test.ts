import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openForkNetwork } from '../../../src/cli/fork-network.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import type { RemoteNetwork } from '../../../src/devnet/fork/remote-network.ts'
import { tryParseAddress } from '../../../src/ton/address.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { libraryHashes } from '../../../src/tvm/library-cells.ts'
import { startFakeLiteserver } from '../../support/fake-liteserver.ts'
import { LIES_ABOUT_ACCOUNTS } from '../../support/lies/accounts.ts'
import { type Lie, startLyingLiteserver } from '../../support/lying-liteserver.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { RECORDED, recordedRemote } from '../../support/recorded-remote.ts'
import { globalConfigOf } from '../../support/served-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonlith-fork-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HONEST: Lie = { name: 'the truth', fate: 'harmless', tells: {} }
const { last } = recordedChain()
const OLD = 100
const truth = recordedRemote()
const soon = (): AbortSignal => AbortSignal.timeout(3_000)

/** Opens the recorded network over a server that lies. */
const over = async (
  lie: Lie,
  use: (remote: RemoteNetwork) => Promise<void>,
  { head = last, block }: { head?: number; block?: number } = {},
): Promise<void> => {
  const { server } = startLyingLiteserver({ head, lie })
  const source = join(folder, `${server.port}.json`)
  writeFileSync(source, globalConfigOf([server]))
  const order = { source, block, trust: 'proofs', trustFolder: folder } as const
  const { remote, stop } = await openForkNetwork(order, silentLogger)
  try {
    await use(remote)
  } finally {
    stop()
    server.kill()
  }
}

const hashOf = (cell: Cell | null): string | undefined => cell?.hash().toString('hex')
const ACCOUNTS = [RECORDED.jettonWallet, RECORDED.collection, RECORDED.nobody].map((text) => tryParseAddress(text)!)

describe('the network that accounts are taken from', () => {
  test('gives them as it has them, and libraries', () =>
    over(HONEST, async (remote) => {
      for (const address of ACCOUNTS)
        expect(hashOf(await remote.account(address, soon()))).toBe(hashOf(await truth.account(address, soon())))
      const wallet = await truth.account(ACCOUNTS[0]!, soon())
      const hashes = libraryHashes([wallet!]).map((hash) => Buffer.from(hash, 'hex'))
      const found = await remote.libraries([...hashes, Buffer.alloc(32, 1)], soon())
      expect(found.map((cell) => cell.hash())).toEqual(hashes)
    }))

  test('gives them as it had them at a block', () =>
    over(
      HONEST,
      async (remote) => {
        const elector = { workchain: -1, hash: Buffer.alloc(32, 0x33) }
        const then = hashOf(await recordedRemote(OLD).account(elector, soon()))
        expect(hashOf(await remote.account(elector, soon()))).toBe(then)
        expect(then).not.toBe(hashOf(await truth.account(elector, soon())))
      },
      { block: OLD },
    ))

  test.each(LIES_ABOUT_ACCOUNTS.map((lie) => [lie.name, lie] as const))('is not believed when it lies: %s', (_, lie) =>
    over(lie, async (remote) => {
      for (const address of ACCOUNTS) {
        const told = await remote.account(address, soon()).then(hashOf, () => 'refused')
        if (told !== 'refused') expect(told).toBe(hashOf(await truth.account(address, soon())))
      }
    }),
  )
})

test('a server that says nothing does not hold up the start for long, and nothing is known of an account', async () => {
  const server = startFakeLiteserver({ reply: () => 'silence' })
  const source = join(folder, 'silent.json')
  writeFileSync(source, globalConfigOf([server]))
  const order = { source, block: undefined, trust: 'proofs', trustFolder: folder } as const
  const { remote, stop } = await openForkNetwork(order, silentLogger)
  await expect(remote.account(ACCOUNTS[0]!, soon())).rejects.toThrow()
  stop()
  server.kill()
})
