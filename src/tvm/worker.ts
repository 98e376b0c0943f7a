import { LRUCache } from 'lru-cache'
import type { ConfigForm } from './config.ts'
import { createEmulator, type Emulator, MAX_EMULATOR_BYTES } from './emulator.ts'
import { emulatorCode, takeEmulatorCode } from './emulator-code.ts'
import {
  type ContractTexts,
  contractSize,
  KEPT_CONFIGS,
  keptContracts,
  type MethodJob,
  type TvmAnswer,
  type TvmJob,
  type TvmReply,
  type WorkerStart,
} from './messages.ts'

/** The entry of a Worker: runs get-methods and transactions one after the other, once it was told to start. */

declare const self: Worker

const configs = new LRUCache<string, string>({ max: KEPT_CONFIGS })
const contracts = keptContracts(contractSize)
let emulator: Emulator | undefined

const say = (reply: TvmReply): void => self.postMessage(JSON.stringify(reply))

const configOf = ({ key, boc }: TvmJob['config']): ConfigForm => {
  const text = boc ?? configs.get(key)
  if (text === undefined) throw new Error('a configuration was never sent')
  configs.set(key, text)
  return { key, boc: text }
}

const textsOf = ({ method: { contract }, texts }: MethodJob): ContractTexts => {
  const known = texts ?? contracts.get(contract)
  if (!known) throw new Error('a contract was never sent')
  if (texts) contracts.set(contract, texts)
  return known
}

const answerOf = (emulator: Emulator, job: TvmJob, config: ConfigForm): TvmAnswer => {
  if (!('method' in job)) return emulator.emulate(job.transaction, config)
  const texts = textsOf(job)
  return emulator.runGetMethod(job.method, () => texts, config)
}

const run = async (job: TvmJob): Promise<void> => {
  try {
    const config = configOf(job.config)
    emulator ??= await createEmulator()
    say({ answer: answerOf(emulator, job, config) })
    if (emulator.memoryBytes() > MAX_EMULATOR_BYTES) emulator = undefined
  } catch (error) {
    emulator = undefined
    say({ broken: String(error) })
  }
  emulator ??= await createEmulator()
}

const start = async ({ code }: WorkerStart): Promise<void> => {
  if (code) takeEmulatorCode(code)
  emulator = await createEmulator()
  if (!code) self.postMessage(emulatorCode())
  say({ ready: true })
}

self.onmessage = ({ data }: MessageEvent<string | WorkerStart>) =>
  void (typeof data === 'string' ? run(JSON.parse(data)) : start(data))
