/** A function's type as bytes of the WebAssembly format: one byte for each value. */
export interface WasmFunctionType {
  params: readonly number[]
  results: readonly number[]
}

const HEADER_BYTES = 8
const TYPE_SECTION = 1
const IMPORT_SECTION = 2
const FUNCTION_IMPORT = 0

/** Reads on in a module's bytes. */
const createReader = (bytes: Uint8Array, start: number) => {
  let at = start
  const byte = (): number => bytes[at++]!
  /** LEB128. */
  const uint = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = byte()
      value += (next & 0x7f) * 2 ** shift
      if (next < 0x80) return value
    }
  }
  const list = <T>(read: () => T): T[] => Array.from({ length: uint() }, read)
  const text = (): string => String.fromCharCode(...list(byte))
  return {
    byte,
    uint,
    list,
    text,
    skip: (n: number): void => {
      at += n
    },
    done: (): boolean => at >= bytes.length,
  }
}

type Reader = ReturnType<typeof createReader>

const readType = ({ byte, list }: Reader): WasmFunctionType => {
  byte()
  return { params: list(byte), results: list(byte) }
}

/**
 * The types of a module's imports, by their names; for modules that import functions alone, as those of Emscripten do.
 */
export const importTypes = (module: Uint8Array): Map<string, WasmFunctionType> => {
  const reader = createReader(module, HEADER_BYTES)
  const found = new Map<string, WasmFunctionType>()
  let types: WasmFunctionType[] = []
  while (!reader.done()) {
    const section = reader.byte()
    const size = reader.uint()
    if (section === TYPE_SECTION) types = reader.list(() => readType(reader))
    else if (section === IMPORT_SECTION) {
      reader.list(() => {
        reader.text()
        const name = reader.text()
        if (reader.byte() !== FUNCTION_IMPORT) throw new Error(`import ${name} is no function`)
        found.set(name, types[reader.uint()]!)
      })
      return found
    } else reader.skip(size)
  }
  return found
}
