import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../../src/common/errors.ts'
import { silentLogger } from '../../../../src/common/logger.ts'
import { createFork, type ForkOptions } from '../../../../src/devnet/fork/fork.ts'
import { rawAddress, tryParseAddress } from '../../../../src/ton/address.ts'
import { RECORDED, recordedRemote } from '../../../support/recorded-remote.ts'

const addressOf = (text: string) => tryParseAddress(text)!
const JETTON_WALLET = addressOf(RECORDED.jettonWallet)
const COLLECTION = addressOf(RECORDED.collection)
const NOBODY = addressOf(RECORDED.nobody)

/** A fork of the recorded network on a chain that has what it was given. */
const forked = (options: Partial<ForkOptions> = {}) => {
  const accounts = new Set<string>()
  const libraries = new Set<string>()
  const gone = new Set<string>()
  const ending = new AbortController()
  const fork = createFork({
    remote: recordedRemote(),
    chain: {
      hasAccount: (address) => accounts.has(rawAddress(address)),
      hasLibrary: (hash) => libraries.has(hash.toString('hex')),
      isGone: (address) => gone.has(rawAddress(address)),
    },
    now: () => 1_900_000_000,
    signal: ending.signal,
    logger: silentLogger,
    patienceMs: 30,
    ...options,
  })
  /** A step that puts in what it is to. */
  const step = (): string[] => {
    const imports = fork.imports().map(({ address }) => rawAddress(address))
    for (const each of imports) accounts.add(each)
    fork.made()
    return imports
  }
  return { fork, step, accounts, libraries, gone, ending }
}

describe('an account of the other network', () => {
  test('is awaited until the chain has it', async () => {
    const { fork, step } = forked()
    expect(fork.awaits(COLLECTION)).toBe(true)
    expect(step()).toEqual([])
    await fork.answered()
    const arrival = fork.arrival(COLLECTION)
    expect(fork.awaits(COLLECTION)).toBe(true)
    expect(step()).toEqual([RECORDED.collection])
    await arrival
    expect(step()).toEqual([])
  })

  test('comes behind the libraries that it needs', async () => {
    const { fork, step } = forked()
    fork.awaits(JETTON_WALLET)
    await fork.answered()
    const libraries = step()
    expect(libraries.length).toBeGreaterThan(0)
    expect(libraries.every((address) => address.startsWith('-1:'))).toBe(true)
    expect(step()).toEqual([RECORDED.jettonWallet])
  })

  test('needs no library that is there', async () => {
    const { fork, step, libraries } = forked()
    libraries.has = () => true
    fork.awaits(JETTON_WALLET)
    await fork.answered()
    expect(step()).toEqual([RECORDED.jettonWallet])
  })

  test('is asked for once, whoever waits', async () => {
    const remote = recordedRemote()
    const { fork, step } = forked({ remote })
    const arrivals = [fork.arrival(COLLECTION), fork.arrival(COLLECTION)]
    fork.awaits(COLLECTION)
    await fork.answered()
    step()
    await Promise.all(arrivals)
    expect(remote.asked).toEqual([RECORDED.collection])
  })

  test('that no block takes is given up', async () => {
    const { fork } = forked()
    fork.awaits(COLLECTION)
    await fork.answered()
    let offered = 0
    while (fork.imports().length > 0) offered++
    expect(offered).toBe(8)
    expect(fork.awaits(COLLECTION)).toBe(false)
  })
})

describe('nobody waits for an account', () => {
  test('that does not exist there, which is remembered', async () => {
    const remote = recordedRemote()
    const { fork } = forked({ remote })
    await fork.arrival(NOBODY)
    expect(fork.awaits(NOBODY)).toBe(false)
    expect(remote.asked.length).toBe(1)
  })

  test('that this chain has deleted, or of another workchain', () => {
    const remote = recordedRemote()
    const { fork, gone } = forked({ remote })
    gone.add(RECORDED.collection)
    expect(fork.awaits(COLLECTION)).toBe(false)
    expect(fork.awaits({ workchain: 7, hash: COLLECTION.hash })).toBe(false)
    expect(remote.asked).toEqual([])
  })

  test('that is not told of in time', async () => {
    const never = () => new Promise<never>(() => {})
    const { fork } = forked({ remote: { account: never, libraries: never } })
    expect(fork.awaits(COLLECTION)).toBe(true)
    await fork.arrival(COLLECTION)
    expect(fork.awaits(COLLECTION)).toBe(false)
  })

  test('whose libraries are not told of, or that is lied about', async () => {
    const lie = () => Promise.reject(new TonlithError('proof', 'account: not proven'))
    for (const remote of [
      { ...recordedRemote(), libraries: lie },
      { ...recordedRemote(), account: lie },
    ]) {
      const { fork, step } = forked({ remote })
      await fork.arrival(JETTON_WALLET)
      expect(fork.awaits(JETTON_WALLET)).toBe(false)
      expect(step()).toEqual([])
    }
  })

  test('in the place of which another one came', async () => {
    const honest = recordedRemote()
    const { fork } = forked({ remote: { ...honest, account: (_, signal) => honest.account(COLLECTION, signal) } })
    await fork.arrival(JETTON_WALLET)
    expect(fork.awaits(JETTON_WALLET)).toBe(false)
  })

  test('when the network ends', async () => {
    const never = () => new Promise<never>(() => {})
    const { fork, ending } = forked({ remote: { account: never, libraries: never }, patienceMs: 60_000 })
    const arrival = fork.arrival(COLLECTION)
    ending.abort()
    await arrival
    expect(fork.awaits(COLLECTION)).toBe(false)
  })
})

test('no more accounts than a bound are under way, and the others have their turn', async () => {
  const remote = recordedRemote()
  const slow = { ...remote, account: () => Bun.sleep(5).then(() => null) }
  const { fork } = forked({ remote: slow, patienceMs: 5_000 })
  const addresses = Array.from({ length: 300 }, (_, i) => ({ workchain: 0, hash: Buffer.alloc(32, `number ${i}`) }))
  await Promise.all(addresses.map((address) => fork.arrival(address)))
  expect(addresses.some((address) => fork.awaits(address))).toBe(false)
})
