import type { Json } from '../../common/lossless-json.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { AddressBook } from './address-book.ts'
import type { KnownCodes } from './known-codes.ts'
import { listCursors } from './list-cursor.ts'
import type { Metadata } from './metadata.ts'
import type { IhrFeeDays } from './network-version.ts'
import type { Param } from './param.ts'
import type { TextWriter } from './text-writer.ts'

/** The topics of API v3. */
export const GROUPS = [
  'blockchain',
  'accounts',
  'jettons',
  'nfts',
  'dns',
  'multisig',
  'vesting',
  'emulation',
  'utils',
  'api/v2',
] as const

export type ParamsSpec = Readonly<Record<string, Param<unknown>>>
/** The typed values of a params spec. */
export type ParamsOf<P extends ParamsSpec> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never
}

/** What a call gets beside its parameters. `C` names the chain functions that it needs. */
export interface CallContext<C> {
  readonly chain: C
  /** The index. Throws `unavailable` where there is none. */
  index(): IndexReader
  /** Whether there is an index with anything in it. */
  readonly hasIndex: boolean
  readonly book: AddressBook
  readonly metadata: Metadata
  readonly codes: KnownCodes
  readonly hasIhrFee: IhrFeeDays
  readonly writer: TextWriter
  /** What X-Actions-Version says: it stands for the list of types of actions that the client knows. */
  readonly actionsVersion: string | undefined
  /** Aborted when the time for this answer is over; the caller then already gets 504. */
  readonly signal: AbortSignal
}

/** What a method answers with. */
export interface Answer {
  /** JSON. */
  text: string
  /** Where the next page begins; null behind the last one. */
  next?: Buffer | null
}

interface Described {
  /** The path under /api/v3/. */
  name: string
  /** Other names that reach it; OpenAPI lists only `name`. */
  aliases?: readonly string[]
  group: (typeof GROUPS)[number]
  /** One sentence for OpenAPI. */
  summary: string
  result: JsonSchema
  /** What its answers with other statuses mean, beside those that every method has; for OpenAPI. */
  errors?: Readonly<Record<number, string>>
}

/** A value that a JSON body holds, as data; `undefined` is read when it was not sent. */
export interface BodyParam<T> {
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  read(input: Json | undefined, name: string): T
  /** Checks the bounds of a value. Throws `invalid`. */
  check?(value: T, name: string): void
}

export type BodySpec = Readonly<Record<string, BodyParam<unknown>>>
export type BodyOf<B extends BodySpec> = {
  readonly [K in keyof B]: B[K] extends BodyParam<infer T> ? T : never
}

/** A request whose parameters are read and checked. */
export type Prepared<C> = (context: CallContext<C>) => Promise<Answer> | Answer

/** Reads all that was sent for a parameter, but for empty values. */
export type QuerySource = (name: string, param: Param<unknown>) => readonly string[]

/** A method that answers GET. */
export interface GetMethod<C> extends Described {
  verb: 'get'
  params: ParamsSpec
  /** Whether it needs the index; the others answer without one. */
  needsIndex: boolean
  /** Throws `invalid`. */
  prepare(source: QuerySource): Prepared<C>
}

/** A method that answers POST with a JSON body. */
export interface PostMethod<C> extends Described {
  verb: 'post'
  body: BodySpec
  /** Throws `invalid`. */
  prepare(source: (name: string) => Json | undefined): Prepared<C>
}

/** An entry of the method table: routes, validation and OpenAPI come from it. */
export type Method<C> = GetMethod<C> | PostMethod<C>

interface GetSpec<P extends ParamsSpec, C> extends Described {
  params: P
  needsIndex?: boolean
  /** Rules between parameters; throws `invalid`. */
  validate?(values: ParamsOf<P>): void
  call(values: ParamsOf<P>, context: CallContext<C>): Promise<Answer> | Answer
}

/** Makes a table entry that answers GET. */
export const get = <const P extends ParamsSpec, C = unknown>(spec: GetSpec<P, C>): GetMethod<C> => {
  const { validate, call, needsIndex = true, ...described } = spec
  return {
    ...described,
    verb: 'get',
    needsIndex,
    prepare: (source) => {
      const values = Object.fromEntries(
        Object.entries(spec.params).map(([name, param]) => [name, param.read(source(name, param), name)]),
      ) as ParamsOf<P>
      validate?.(values)
      if (!('cursor' in values)) return (context) => call(values, context)
      const cursors = listCursors(spec.name, values)
      const place = Buffer.isBuffer(values.cursor) ? cursors.read(values.cursor) : undefined
      return async (context) => {
        const { text, next } = await call({ ...values, cursor: place }, context)
        return { text, next: next ? cursors.write(next) : null }
      }
    },
  }
}

interface PostSpec<B extends BodySpec, C> extends Described {
  body: B
  call(values: BodyOf<B>, context: CallContext<C>): Promise<Answer> | Answer
}

/** Makes a table entry that answers POST. */
export const post = <const B extends BodySpec, C = unknown>(spec: PostSpec<B, C>): PostMethod<C> => {
  const { call, ...described } = spec
  return {
    ...described,
    verb: 'post',
    prepare: (source) => {
      const values = Object.fromEntries(
        Object.entries(spec.body).map(([name, param]) => {
          const value = param.read(source(name), name)
          param.check?.(value, name)
          return [name, value]
        }),
      ) as BodyOf<B>
      return (context) => call(values, context)
    },
  }
}
