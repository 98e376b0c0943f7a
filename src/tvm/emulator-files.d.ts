declare module '@ton/sandbox/dist/executor/emulator-emscripten.wasm.js' {
  /** Path of the file, a script that holds the module as one text in base64. */
  const path: string
  export default path
}

declare module '@ton/sandbox/dist/executor/emulator-emscripten.js' {
  export interface EmulatorModule {
    _malloc(bytes: number): number
    _free(pointer: number): void
    /** 0 when the configuration cannot be used. */
    _create_emulator(config: number, verbosity: number): number
    _destroy_emulator(emulator: number): void
    _emulate_with_emulator(
      emulator: number,
      libraries: number,
      account: number,
      message: number,
      params: number,
    ): number
  }

  /** Functions of JavaScript that the module calls, under names of one or two letters. */
  export type EmulatorImports = Record<string, (...args: number[]) => unknown>

  interface EmulatorOptions {
    instantiateWasm(
      imports: Record<string, EmulatorImports>,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): void
    print(text: string): void
    printErr(text: string): void
  }

  const createModule: (options: EmulatorOptions) => Promise<EmulatorModule>
  export default createModule
}

declare namespace WebAssembly {
  /** The tag of exceptions that JavaScript throws. */
  const JSTag: WebAssembly.Tag
}
