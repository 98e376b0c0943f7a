import type { EmulatorModule } from '@ton/sandbox/dist/executor/emulator-emscripten.js'
import { TonlithError } from '../common/errors.ts'

/** Texts in an emulator's memory. */
export interface EmulatorMemory {
  /** Copies a text of bytes into memory of its own and gives its place. Throws `internal` when there is none left. */
  put(text: string): number
  free(at: number): void
  /** Reads the text at this place and frees it. */
  take<A>(at: number, read: (text: Buffer) => A): A
  /** Bytes of it, which never get fewer. */
  size(): number
}

export const createEmulatorMemory = (module: EmulatorModule, memory: WebAssembly.Memory): EmulatorMemory => {
  let bytes = Buffer.from(memory.buffer)

  /** All of it; when it grows, this is another buffer. */
  const all = (): Buffer => {
    if (bytes.length === 0) bytes = Buffer.from(memory.buffer)
    return bytes
  }
  return {
    put: (text) => {
      const at = module._malloc(text.length + 1)
      if (at === 0) throw new TonlithError('internal', 'the emulator has no memory left')
      all().write(text, at, 'latin1')
      all()[at + text.length] = 0
      return at
    },
    free: module._free,
    take: (at, read) => {
      const taken = read(all().subarray(at, all().indexOf(0, at)))
      module._free(at)
      return taken
    },
    size: () => memory.buffer.byteLength,
  }
}
