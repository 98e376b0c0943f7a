import { Address, Cell } from '@ton/core'
import { Executor } from '@ton/sandbox'
import { cpuMs } from './cpu-ms.ts'

/** The entry of a process that runs a get-method in the Executor of @ton/sandbox and tells the milliseconds of a run. */

/** Bags of cells in Base64, the account's hash in hex. */
export interface SandboxCall {
  config: string
  code: string
  data: string
  address: string
  method: number
  now: number
}

const RUNS = 100

process.on('message', async ({ config, code, data, address, method, now }: SandboxCall) => {
  const executor = await Executor.create()
  const args = {
    code: Cell.fromBase64(code),
    data: Cell.fromBase64(data),
    methodId: method,
    stack: [],
    config,
    verbosity: 'short' as const,
    address: new Address(0, Buffer.from(address, 'hex')),
    unixTime: now,
    balance: 1_000_000_000n,
    randomSeed: Buffer.alloc(32),
    gasLimit: 4_000_000n,
    debugEnabled: false,
  }
  process.send?.(await cpuMs(RUNS, () => executor.runGetMethod(args)))
})
