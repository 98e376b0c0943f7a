import createModule, {
  type EmulatorImports,
  type EmulatorModule,
} from '@ton/sandbox/dist/executor/emulator-emscripten.js'
import { TonlithError } from '../common/errors.ts'
import { type EmulatorCode, emulatorCode } from './emulator-code.ts'
import { type TvmFunctions, tvmFunctions } from './tvm-functions.ts'
import { invokesModule } from './wasm-invokes.ts'

/** One instance of the emulator's WASM module. */
export interface LoadedEmulator {
  module: EmulatorModule
  tvm: TvmFunctions
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
const unusable = (what: string): TonlithError => new TonlithError('internal', `the emulator ${what}`)

/** What the loader needs of the exports; in the package's build they have no names of their own. */
interface Exports {
  memory: WebAssembly.Memory
  table: WebAssembly.Table
  setStack(pointer: number): void
  /** Gives the stack pointer; a function of the module itself. */
  stackPointer: () => unknown
  setThrew(threw: number, value: number): void
}

type ExportedFunction = (...args: number[]) => unknown

const isFunction = (value: unknown): value is ExportedFunction => typeof value === 'function'

const exportsOf = ({ exports }: WebAssembly.Instance): Exports => {
  const { Da: memory, Ma: table, Pa: setThrew, Ra: setStack, Ta: stackPointer } = exports
  if (!(memory instanceof WebAssembly.Memory) || !(table instanceof WebAssembly.Table))
    throw unusable('is of another build')
  if (!isFunction(setThrew) || !isFunction(setStack) || !isFunction(stackPointer)) throw unusable('is of another build')
  return { memory, table, setStack, stackPointer, setThrew }
}

/** The imports that call a function of the table and catch what it throws. */
const isInvoke = ({ name }: { name: string }): boolean => name.startsWith('invoke_')
const isClock = ({ name }: { name: string }): boolean => name === '_clock_time_get'

const compileInvokes = (types: EmulatorCode['importTypes'], imports: EmulatorImports): WebAssembly.Module => {
  const clock = Object.keys(imports).find((name) => isClock(imports[name]!))
  if (clock === undefined) throw unusable('has no clock')
  const invokes = new Map([...types].filter(([name]) => isInvoke(imports[name]!)))
  return new WebAssembly.Module(invokesModule(invokes, clock))
}

/** Writes nanoseconds since the start as an integer of 64 bits. */
const createTimeWriter = (memory: WebAssembly.Memory): ((at: number) => void) => {
  let words = new Uint32Array(memory.buffer)
  return (at) => {
    if (words.length === 0) words = new Uint32Array(memory.buffer)
    const time = Math.round(performance.now() * 1e6)
    words[at >> 2] = time % 2 ** 32
    words[(at >> 2) + 1] = time / 2 ** 32
  }
}

/** Makes an instance whose `invoke_*` are WebAssembly too. */
const instantiate = (code: EmulatorCode, given: Record<string, EmulatorImports>): WebAssembly.Instance => {
  const [only] = Object.entries(given)
  if (!only) throw unusable('imports nothing')
  const [group, imports] = only
  code.invokes ??= compileInvokes(code.importTypes, imports)
  let exports: Exports | undefined
  let writeTime: ((at: number) => void) | undefined
  const caught = (thrown: unknown, stack: number): void => {
    if (typeof thrown !== 'number' || !exports) throw thrown
    exports.setStack(stack)
    exports.setThrew(1, 0)
  }
  /** All clocks tell the time since the start: the emulator only measures with them. */
  const clock = (_: number, at: number): number => {
    writeTime?.(at)
    return 0
  }
  const table = new WebAssembly.Table({ initial: 1, element: 'anyfunc' })
  const env = { caught, clock, tag: WebAssembly.JSTag, table }
  const invokes = new WebAssembly.Instance(code.invokes, { env }).exports
  const instance = new WebAssembly.Instance(code.emulator, { [group]: { ...imports, ...invokes } })
  exports = exportsOf(instance)
  writeTime = createTimeWriter(exports.memory)
  table.grow(exports.table.length - 1)
  for (let i = 1; i < exports.table.length; i++) table.set(i, exports.table.get(i))
  table.set(0, exports.stackPointer)
  return instance
}

/** Moves the stack to a place of its own; gives what checks the guard below it. */
const moveStack = (module: EmulatorModule, { memory, setStack, stackPointer }: Exports): (() => void) => {
  const place = module._malloc(GUARD_BYTES + STACK_BYTES + ALIGNMENT)
  const top = (place + GUARD_BYTES + STACK_BYTES) & ~(ALIGNMENT - 1)
  setStack(top)
  if (place === 0 || stackPointer() !== top) throw unusable('cannot move its stack')
  let guard = Buffer.from(memory.buffer, place, GUARD_BYTES)
  guard.set(GUARD)
  return () => {
    if (guard.length === 0) guard = Buffer.from(memory.buffer, place, GUARD_BYTES)
    if (stackPointer() !== top || !guard.equals(GUARD)) throw unusable('has left its stack')
  }
}

/** Loads an instance, which takes 20 ms beside compiling. */
export const loadEmulator = async (): Promise<LoadedEmulator> => {
  const code = emulatorCode()
  let instance: WebAssembly.Instance | undefined
  const module = await createModule({
    instantiateWasm: (imports, done) => {
      instance = instantiate(code, imports)
      done(instance, code.emulator)
    },
    print: () => {},
    printErr: () => {},
  })
  const exports = exportsOf(instance!)
  const { memory, table } = exports
  return { module, tvm: tvmFunctions(table, memory), memory, checkStack: moveStack(module, exports) }
}
