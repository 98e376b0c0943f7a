import { ENVELOPE_FUNCTIONS, LITE_SERVER_FUNCTIONS } from './schema-functions.ts'
import { LITE_SERVER_CONSTRUCTORS } from './schema-lite-server.ts'
import { TON_CONSTRUCTORS } from './schema-ton.ts'

export const CONSTRUCTORS = { ...TON_CONSTRUCTORS, ...LITE_SERVER_CONSTRUCTORS } as const
export const FUNCTIONS = { ...LITE_SERVER_FUNCTIONS, ...ENVELOPE_FUNCTIONS } as const

export type Constructors = typeof CONSTRUCTORS
export type Functions = typeof FUNCTIONS
export type ConstructorName = keyof Constructors
export type FunctionName = keyof Functions
/** The functions that may stand inside `liteServer.query`. */
export type LiteServerMethod = keyof typeof LITE_SERVER_FUNCTIONS
export type BoxedName = Constructors[ConstructorName]['type']
