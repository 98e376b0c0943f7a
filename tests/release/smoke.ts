import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lonely, runExecutable, startExecutable } from '../support/executable.ts'
import { untilReady } from '../support/ready.ts'

/** Blocks only when asked for: an emulated processor has nothing left beside them. */
const DEV = ['dev', '--listen', '127.0.0.1:0', '--request-timeout', '60s', '--block-interval', 'manual'] as const

const READY_MS = 900_000

/** An emulated processor may be too slow for a Worker to be there in time at the first call. */
const TRIES = 10

const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what)
}

/**
 * Tries an executable: LMDB opens, orders of the environment for Bun are not taken, a network of its own starts, API v2
 * reads it, a get-method runs in the emulator, API v3 answers from the index, SIGTERM ends it with 0. Gives the line that tells
 * which Bun it is. Throws with what went wrong.
 */
export const smoke = async (alone: Lonely): Promise<string> => {
  const platform = await tellsItsParts(alone)
  await takesNoOrders(alone)
  await servesItsNetwork(alone)
  return platform
}

const tellsItsParts = async (alone: Lonely): Promise<string> => {
  const { code, stdout, stderr } = await runExecutable(alone, ['version'])
  must(code === 0 && /^lmdb \S+ works$/m.test(stdout), `version: exit code ${code}, ${stdout}${stderr}`)
  return stdout.match(/^bun .*$/m)?.[0] ?? ''
}

const takesNoOrders = async (alone: Lonely): Promise<void> => {
  const spy = join(alone.folder, 'spy.js')
  writeFileSync(spy, 'console.log("run instead")\n')
  const orders = { BUN_OPTIONS: `--preload ${spy}`, BUN_BE_BUN: '1', BUN_INSPECT_PRELOAD: spy }
  const { stdout } = await runExecutable(alone, ['config'], orders)
  must(stdout.includes('log_level = ') && !stdout.includes('run instead'), `obeys the environment: ${stdout}`)
}

/** The first answer of as many tries, or what went wrong with the last one. */
const repeated = async <T>(ask: () => Promise<T>, tries: number): Promise<T> => {
  for (let left = tries; left > 1; left--) {
    try {
      return await ask()
    } catch {
      await Bun.sleep(1000)
    }
  }
  return ask()
}

const servesItsNetwork = async (alone: Lonely): Promise<void> => {
  const running = await startExecutable(alone, DEV)
  const ask = async (path: string, body?: object) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetch(running.url + path, init)
    const text = await response.text()
    must(response.status === 200, `${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  try {
    await untilReady(running.url, READY_MS)
    const { last } = (await ask('/api/v2/getMasterchainInfo')).result
    must(last.seqno > 0, 'the network makes no blocks')
    const address = `-1:${'3'.repeat(64)}`
    const method = { address, method: 'active_election_id', stack: [] }
    const { result } = await repeated(() => ask('/api/v2/runGetMethod', method), TRIES)
    must(result.exit_code === 0, `the get-method ends with ${result.exit_code}`)
    const { transactions } = await ask('/api/v3/transactions?limit=1')
    must(transactions.length === 1, 'the index has no transaction')
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${running.stderr()}`)
  } finally {
    const code = await running.end()
    must(code === 0, `SIGTERM: exit code ${code}`)
  }
}
