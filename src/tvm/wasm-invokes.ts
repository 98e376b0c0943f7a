import type { WasmFunctionType } from './wasm-types.ts'

/**
 * A module of WebAssembly that does what Emscripten's `invoke_*` do in JavaScript: call a function of the table and, where
 * it throws a number (an exception of C++), tell so and go on. A call through JavaScript costs many times as much, and a
 * run of a contract makes thousands of them.
 *
 * It imports from `env`: `table`, whose entry 0 gives the stack pointer; `tag`, that of JavaScript's exceptions; and
 * `caught`, which gets what was thrown and the stack pointer of before the call, and throws it again when it is no number.
 *
 * Beside them it has the clock (WASI: clock_time_get), which the VM asks at every instruction: JavaScript's `clock` gets
 * the clock and the place for its time, and not the precision, a bigint that it would have to make.
 */

const I32 = 0x7f
const I64 = 0x7e
const F32 = 0x7d
const F64 = 0x7c
const EXTERNREF = 0x6f
const FUNCREF = 0x70
const FUNCTION_TYPE = 0x60
const NO_RESULT = 0x40

const FUNCTION = 0
const TABLE = 1
const TAG = 4

const TRY = 0x06
const CATCH = 0x07
const END = 0x0b
const CALL = 0x10
const CALL_INDIRECT = 0x11
const LOCAL_GET = 0x20
const LOCAL_SET = 0x21

/** The constant 0 of each kind of value. */
const ZERO: Readonly<Record<number, readonly number[]>> = {
  [I32]: [0x41, 0],
  [I64]: [0x42, 0],
  [F32]: [0x43, 0, 0, 0, 0],
  [F64]: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
}

/** The types in front of those of the functions: of the stack pointer, of the tag, of `caught`. */
const STACK_TYPE = 0
const TAG_TYPE = 1
const CAUGHT_TYPE = 2
const CLOCK_TYPE = 3
const CLOCK_IMPORT_TYPE = 4
const FIRST_TYPES: readonly WasmFunctionType[] = [
  { params: [], results: [I32] },
  { params: [EXTERNREF], results: [] },
  { params: [EXTERNREF, I32], results: [] },
  { params: [I32, I64, I32], results: [I32] },
  { params: [I32, I32], results: [I32] },
]
/** Functions by their numbers: the imported ones come first. */
const CAUGHT = 0
const CLOCK = 1
const FIRST_FUNCTION = 2

type Bytes = readonly number[]

/** LEB128. */
const uint = (value: number): Bytes => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uint(value >>> 7)])
const sized = (bytes: Bytes): Bytes => [...uint(bytes.length), ...bytes]
const list = (items: readonly Bytes[]): Bytes => [...uint(items.length), ...items.flat()]
const section = (id: number, items: readonly Bytes[]): Bytes => [id, ...sized(list(items))]
const text = (value: string): Bytes => sized([...Buffer.from(value, 'latin1')])

const typeBytes = ({ params, results }: WasmFunctionType): Bytes => [FUNCTION_TYPE, ...sized(params), ...sized(results)]

/** The function in the table that an `invoke_*` calls: its own parameters without the first one. */
const targetOf = ({ params, results }: WasmFunctionType): WasmFunctionType => ({ params: params.slice(1), results })

const body = ({ params, results }: WasmFunctionType, targetType: number): Bytes => {
  const stack = uint(params.length)
  const [result] = results
  return sized([
    ...list([[1, I32]]),
    ...ZERO[I32]!,
    ...[CALL_INDIRECT, STACK_TYPE, 0, LOCAL_SET, ...stack],
    ...[TRY, result ?? NO_RESULT],
    ...params.slice(1).flatMap((_, i) => [LOCAL_GET, ...uint(i + 1)]),
    ...[LOCAL_GET, 0, CALL_INDIRECT, ...uint(targetType), 0],
    ...[CATCH, 0, LOCAL_GET, ...stack, CALL, CAUGHT],
    ...(result === undefined ? [] : ZERO[result]!),
    ...[END, END],
  ])
}

const CLOCK_BODY = sized([...list([]), LOCAL_GET, 0, LOCAL_GET, 2, CALL, CLOCK, END])

/** The module's bytes; it exports a function for each of these types, and the clock, under the names given. */
export const invokesModule = (
  invokes: ReadonlyMap<string, WasmFunctionType>,
  clock: string,
): Uint8Array<ArrayBuffer> => {
  const all = [...invokes]
  const typeAt = (i: number): number => FIRST_TYPES.length + 2 * i
  const types = [...FIRST_TYPES, ...all.flatMap(([, type]) => [type, targetOf(type)])]
  const imports = [
    ['caught', FUNCTION, CAUGHT_TYPE],
    ['clock', FUNCTION, CLOCK_IMPORT_TYPE],
    ['tag', TAG, 0, TAG_TYPE],
    ['table', TABLE, FUNCREF, 0, 1],
  ] as const
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types.map(typeBytes)),
    ...section(
      2,
      imports.map(([name, ...description]) => [...text('env'), ...text(name), ...description]),
    ),
    ...section(3, [...all.map((_, i) => uint(typeAt(i))), [CLOCK_TYPE]]),
    ...section(
      7,
      [...invokes.keys(), clock].map((name, i) => [...text(name), FUNCTION, ...uint(FIRST_FUNCTION + i)]),
    ),
    ...section(10, [...all.map(([, type], i) => body(type, typeAt(i) + 1)), CLOCK_BODY]),
  ])
}
