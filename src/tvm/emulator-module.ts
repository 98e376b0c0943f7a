import { readFileSync } from 'node:fs'
import createModule, { type EmulatorModule } from '@ton/sandbox/dist/executor/emulator-emscripten.js'
import wasmFile from '@ton/sandbox/dist/executor/emulator-emscripten.wasm.js' with { type: 'file' }
import { TonlithError } from '../common/errors.ts'

/** One instance of the emulator's WASM module. */
export interface LoadedEmulator {
  module: EmulatorModule
  memory: WebAssembly.Memory
  /** Throws `internal` when a run has left its stack and written over other memory: the instance is of no use then. */
  checkStack(): void
}

/**
 * The module's own stack has 64 KiB with its constants right below, and nothing notices when it gets full: a value nested
 * 350 deep would overwrite them. So it gets another one, with a guard below that is looked at after every run.
 */
const STACK_BYTES = 8 << 20
const GUARD_BYTES = 64 << 10
const GUARD = Buffer.alloc(GUARD_BYTES, 0xa5)
const ALIGNMENT = 16

let compiled: WebAssembly.Module | undefined

/** The module's bytes stand as the only quoted text in a script. */
const compile = (): WebAssembly.Module => {
  const script = readFileSync(wasmFile, 'latin1')
  const from = script.indexOf("'") + 1
  return new WebAssembly.Module(Buffer.from(script.slice(from, script.indexOf("'", from)), 'base64'))
}

const unusable = (what: string): TonlithError => new TonlithError('internal', `the emulator ${what}`)

/** What the loader needs of the exports; in the package's build they have no names of their own. */
interface Exports {
  memory: WebAssembly.Memory
  setStack(pointer: number): void
  stackPointer(): number
}

const exportsOf = ({ exports }: WebAssembly.Instance): Exports => {
  const { Da: memory, Ra: setStack, Ta: stackPointer } = exports
  if (!(memory instanceof WebAssembly.Memory) || typeof setStack !== 'function' || typeof stackPointer !== 'function')
    throw unusable('is of another build')
  return {
    memory,
    setStack: (pointer) => void setStack(pointer),
    stackPointer: () => Number(stackPointer()),
  }
}

/** Moves the stack to a place of its own; gives what checks the guard below it. */
const moveStack = (module: EmulatorModule, { memory, setStack, stackPointer }: Exports): (() => void) => {
  const place = module._malloc(GUARD_BYTES + STACK_BYTES + ALIGNMENT)
  const top = (place + GUARD_BYTES + STACK_BYTES) & ~(ALIGNMENT - 1)
  setStack(top)
  if (place === 0 || stackPointer() !== top) throw unusable('cannot move its stack')
  const guard = (): Buffer => Buffer.from(memory.buffer, place, GUARD_BYTES)
  guard().set(GUARD)
  return () => {
    if (stackPointer() !== top || !guard().equals(GUARD)) throw unusable('has left its stack')
  }
}

/** Loads an instance; the first one of a thread takes about 100 ms, further ones 20 ms. */
export const loadEmulator = async (): Promise<LoadedEmulator> => {
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
  const exports = exportsOf(instance!)
  return { module, memory: exports.memory, checkStack: moveStack(module, exports) }
}
