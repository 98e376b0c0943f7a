import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { buildStack } from '../../src/ton/stack.ts'
import { parseAccount } from '../../src/ton/tlb/account.ts'
import { parseShardStateUnsplit, shardAccount } from '../../src/ton/tlb/shard-state.ts'
import { type TvmConfig, tvmConfig } from '../../src/tvm/config.ts'
import { type GetMethodCall, runGetMethod } from '../../src/tvm/get-method.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { startTvm } from '../support/tvm.ts'
import { recordedConfig } from '../support/tvm-code.ts'
import { cpuMs } from './cpu-ms.ts'
import type { SandboxCall } from './sandbox-runs.ts'
import { figure, type Row } from './table.ts'

const WALLET_V4 = Buffer.from('c4f8b4a75bbda2c6e7d1436c92984d6d40cec483524f1c1330d91a23f4d74206', 'hex')
const SEQNO = 85143
const NOW = 1_795_821_100

/** The configuration of mainnet where TONLITH_CHAIN_DATA names a folder, else that of our own network. */
const sampleConfig = (): { name: string; root: Cell } => {
  const folder = process.env['TONLITH_CHAIN_DATA']
  if (!folder) return { name: 'recorded configuration', root: recordedConfig() }
  const bytes = readFileSync(join(folder, 'config', 'mainnet-config-84773657.boc'))
  return { name: 'mainnet configuration', root: parseBocRoot(bytes) }
}

const wallet = (): { code: Cell; data: Cell } => {
  for (const blocks of recordedChain().shards(0).values()) {
    const entry = shardAccount(parseShardStateUnsplit(blocks.at(-1)!.state).accounts, WALLET_V4)
    const account = entry && parseAccount(entry.account)
    if (account?._ !== 'account' || account.storage.state._ !== 'account_active') continue
    return { code: account.storage.state.code!, data: account.storage.state.data! }
  }
  throw new Error('the recorded network has no such wallet')
}

/** cpuMs of the Executor of @ton/sandbox, in a process of its own: it requires as a module what we import as a file. */
const sandboxMs = async (root: Cell, code: Cell, data: Cell): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const child = Bun.spawn([process.execPath, new URL('sandbox-runs.ts', import.meta.url).pathname], { ipc: resolve })
  const bag = (cell: Cell): string => cellToBoc(cell).toString('base64')
  const call: SandboxCall = {
    config: bag(root),
    code: bag(code),
    data: bag(data),
    address: WALLET_V4.toString('hex'),
    method: SEQNO,
    now: NOW,
  }
  child.send(call)
  const ended = child.exited.then((status) => {
    throw new Error(`@ton/sandbox ended with ${status}`)
  })
  const ms = await Promise.race([promise, ended])
  child.kill()
  return ms
}

/** `seqno` of a v4 wallet whose state is at hand, in one Worker, beside the Executor of @ton/sandbox. */
export const benchGetMethods = async (): Promise<Row[]> => {
  const { name, root } = sampleConfig()
  const { code, data } = wallet()
  const config = tvmConfig(root)
  const whole: TvmConfig = { ...config, slim: config.full() }
  const call = (of: TvmConfig): GetMethodCall => ({
    address: { workchain: 0, hash: WALLET_V4 },
    code,
    data,
    balance: 1_000_000_000n,
    extra_currencies: [],
    now: NOW,
    config: of,
    method_id: SEQNO,
    stack: buildStack([]),
    gas_limit: 4_000_000,
    libraries: async () => [],
    prevBlocks: () => Promise.reject(new Error('a wallet does not read them')),
  })
  const tvm = startTvm({ size: 1 })
  try {
    const slim = await cpuMs(5_000, () => runGetMethod(tvm, call(config)))
    const full = await cpuMs(200, () => runGetMethod(tvm, call(whole)))
    const sandbox = await sandboxMs(root, code, data)
    const rate = (ms: number): string => figure(1000 / ms, 'runs/cpu-s')
    const row = (what: string, ms: number): Row => ({
      what: `get-method seqno of a v4 wallet, ${what} ${name}`,
      ours: rate(ms),
      beside: `@ton/sandbox ${rate(sandbox)}`,
      ratio: `${(sandbox / ms).toFixed(1)}x`,
    })
    return [row('slim', slim), row('whole', full)]
  } finally {
    tvm.stop()
  }
}
