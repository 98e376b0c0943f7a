import { readFileSync } from 'node:fs'
import createModule from '@ton/sandbox/dist/executor/emulator-emscripten.js'
import wasmFile from '@ton/sandbox/dist/executor/emulator-emscripten.wasm.js' with { type: 'file' }
import { TonlithError } from '../common/errors.ts'
import type { ConfigForm } from './config.ts'
import { type EmulatorAnswer, readAnswer } from './emulator-answer.ts'
import { KEPT_CONFIGS } from './messages.ts'

/** One instance of the TON emulator (WASM). Synchronous: a run holds its thread until it ends. */
export interface Emulator {
  /**
   * Runs a get-method; `params` is JSON, `stack` a BoC in base64. Throws when the emulator breaks: it is of no use then.
   */
  runGetMethod(params: string, stack: string, config: ConfigForm): EmulatorAnswer
  /** Bytes of its memory, which never shrinks. */
  memoryBytes(): number
}

let compiled: WebAssembly.Module | undefined

/** The module's bytes stand as the only quoted text in a script. */
const compile = (): WebAssembly.Module => {
  const script = readFileSync(wasmFile, 'latin1')
  const from = script.indexOf("'") + 1
  return new WebAssembly.Module(Buffer.from(script.slice(from, script.indexOf("'", from)), 'base64'))
}

const memoryOf = (instance: WebAssembly.Instance): WebAssembly.Memory => {
  const memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory)
  if (!memory) throw new TonlithError('internal', 'the emulator exports no memory')
  return memory
}

const load = async () => {
  compiled ??= compile()
  const wasm = compiled
  let instance: WebAssembly.Instance | undefined
  const module = await createModule({
    instantiateWasm: (imports, done) => {
      instance = new WebAssembly.Instance(wasm, imports)
      done(instance, wasm)
    },
    print: () => {},
    printErr: () => {},
  })
  return { module, memory: memoryOf(instance!) }
}

/** Starts an emulator; the first one of a thread takes about 100 ms, further ones 20 ms. */
export const createEmulator = async (): Promise<Emulator> => {
  const { module, memory } = await load()
  const configs = new Map<string, number>()

  const put = (text: string): number => {
    const at = module._malloc(text.length + 1)
    if (at === 0) throw new TonlithError('internal', 'the emulator has no memory left')
    const target = Buffer.from(memory.buffer, at, text.length + 1)
    target.write(text, 'latin1')
    target[text.length] = 0
    return at
  }
  /** The text of a configuration stays in the emulator's memory, so that it is not copied for every run. */
  const configAt = ({ key, boc }: ConfigForm): number => {
    const at = configs.get(key) ?? put(boc)
    configs.delete(key)
    configs.set(key, at)
    if (configs.size > KEPT_CONFIGS) {
      const [oldest, pointer] = configs.entries().next().value!
      configs.delete(oldest)
      module._free(pointer)
    }
    return at
  }
  const take = (at: number): EmulatorAnswer => {
    const bytes = Buffer.from(memory.buffer, at)
    const answer = readAnswer(bytes.subarray(0, bytes.indexOf(0)))
    module._free(at)
    return answer
  }
  return {
    runGetMethod: (params, stack, config) => {
      const at = configAt(config)
      const [paramsAt, stackAt] = [put(params), put(stack)]
      const answer = take(module._run_get_method(paramsAt, stackAt, at))
      module._free(paramsAt)
      module._free(stackAt)
      return answer
    },
    memoryBytes: () => memory.buffer.byteLength,
  }
}
