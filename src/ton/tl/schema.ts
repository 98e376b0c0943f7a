import { ENVELOPE_FUNCTIONS, LITE_SERVER_FUNCTIONS } from './schema-functions.ts'
import { LITE_SERVER_CONSTRUCTORS } from './schema-lite-server.ts'
import { TON_CONSTRUCTORS } from './schema-ton.ts'

/**
 * One TL constructor or function as data. `fields` keep the order of the wire; a field's type is written as in a TL
 * text (`int`, `vector tonNode.blockIdExt`, `mode.0?bytes`). `type` is what the constructor makes or the function
 * answers. `explicit` marks an id that the scheme's text gives itself, which is not the CRC32 of that text.
 */
export interface Constructor {
  readonly id: number
  readonly explicit?: true
  readonly fields: Readonly<Record<string, string>>
  readonly type: string
}

export const CONSTRUCTORS = { ...TON_CONSTRUCTORS, ...LITE_SERVER_CONSTRUCTORS } as const
export const FUNCTIONS = { ...LITE_SERVER_FUNCTIONS, ...ENVELOPE_FUNCTIONS } as const

export type Constructors = typeof CONSTRUCTORS
export type Functions = typeof FUNCTIONS
export type ConstructorName = keyof Constructors
export type FunctionName = keyof Functions
/** The functions that may stand inside `liteServer.query`. */
export type LiteServerMethod = keyof typeof LITE_SERVER_FUNCTIONS
export type BoxedName = Constructors[ConstructorName]['type']

/** The combinator's text whose CRC32 (IEEE) is its id, unless the id is explicit: no `;`, no brackets, single spaces. */
export const canonicalText = (name: string, { fields, type }: Constructor): string =>
  [name, ...Object.entries(fields).map(([field, fieldType]) => `${field}:${fieldType}`), '=', type].join(' ')
