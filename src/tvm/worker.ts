import { LRUCache } from 'lru-cache'
import type { ConfigForm } from './config.ts'
import { createEmulator, type Emulator, MAX_EMULATOR_BYTES } from './emulator.ts'
import {
  type ContractTexts,
  contractSize,
  KEPT_CONFIGS,
  keptContracts,
  type MethodJob,
  type TvmAnswer,
  type TvmJob,
  type TvmReply,
} from './messages.ts'

/** The entry of a Worker: runs get-methods and transactions one after the other. */

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

const answerOf = (emulator: Emulator, job: TvmJob, config: ConfigForm): TvmAnswer =>
  'method' in job ? emulator.runGetMethod(job.method, textsOf(job), config) : emulator.emulate(job.transaction, config)

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

self.onmessage = ({ data }: MessageEvent<string>) => void run(JSON.parse(data))

const start = async (): Promise<void> => {
  emulator = await createEmulator()
  say({ ready: true })
}

void start()
