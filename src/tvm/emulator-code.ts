import { readFileSync } from 'node:fs'
import wasmFile from '@ton/sandbox/dist/executor/emulator-emscripten.wasm.js' with { type: 'file' }
import { TonlithError } from '../common/errors.ts'
import { importTypes, type WasmFunctionType } from './wasm-types.ts'

/**
 * The emulator as it is compiled. Sent to another thread it is the same code there: nothing is compiled again, and what the
 * runtime has found out about it by running it holds there too.
 */
export interface EmulatorCode {
  readonly emulator: WebAssembly.Module
  readonly importTypes: ReadonlyMap<string, WasmFunctionType>
  /** What catches exceptions for it; compiled with the first instance. */
  invokes: WebAssembly.Module | undefined
}

/** Of the build of @ton/sandbox 0.41: functions and variables of another one stand elsewhere. */
const MODULE_BYTES = 5_051_942

let code: EmulatorCode | undefined

/** The module's bytes stand as the only quoted text in a script. */
const compile = (): EmulatorCode => {
  const script = readFileSync(wasmFile, 'latin1')
  const from = script.indexOf("'") + 1
  const bytes = Buffer.from(script.slice(from, script.indexOf("'", from)), 'base64')
  if (bytes.length !== MODULE_BYTES) throw new TonlithError('internal', 'the emulator is of another build')
  return { emulator: new WebAssembly.Module(bytes), importTypes: importTypes(bytes), invokes: undefined }
}

/** The code of this thread's instances. Where no other thread has given it, it is compiled, which takes about 100 ms. */
export const emulatorCode = (): EmulatorCode => {
  code ??= compile()
  return code
}

/** The code, where this thread has it. */
export const knownEmulatorCode = (): EmulatorCode | undefined => code

/** Takes the code that another thread has compiled, unless this one has it. */
export const takeEmulatorCode = (compiled: EmulatorCode): void => {
  code ??= compiled
}
