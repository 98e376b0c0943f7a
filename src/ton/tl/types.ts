import type { BoxedName, ConstructorName, Constructors, FunctionName, Functions } from './schema.ts'

interface Scalars {
  int: number
  '#': number
  long: bigint
  int128: Buffer
  int256: Buffer
  bytes: Buffer
  string: string
  Bool: boolean
  true: boolean
}

type Flat<T> = { [K in keyof T]: T[K] }
type Conditional = `${string}?${string}`
type Unconditional<T extends string> = T extends `${string}?${infer Inner}` ? Inner : T

type Fields<F> = Flat<
  { -readonly [K in keyof F as F[K] extends Conditional ? never : K]: Value<F[K] & string> } & {
    -readonly [K in keyof F as F[K] extends Conditional ? K : never]?: Value<Unconditional<F[K] & string>> | undefined
  }
>

type NamesOf<T extends string> = {
  [N in ConstructorName]: Constructors[N]['type'] extends T ? N : never
}[ConstructorName]

/** The TypeScript value of a TL type as it is written in the table. */
export type Value<T extends string> = T extends keyof Scalars
  ? Scalars[T]
  : T extends `vector ${infer Element}`
    ? Value<Element>[]
    : T extends ConstructorName
      ? Bare<T>
      : Boxed<T>

/** A bare object: the fields alone. */
export type Bare<N extends ConstructorName> = Fields<Constructors[N]['fields']>
/** An object that carries its constructor's name. */
export type Tagged<N extends ConstructorName> = N extends ConstructorName ? Flat<{ _: N } & Bare<N>> : never
/** Any constructor of a boxed type, told apart by `_`. */
export type Boxed<T extends string> = Tagged<NamesOf<T>>
/** A function's arguments, without its name. */
export type Arguments<N extends FunctionName> = Fields<Functions[N]['fields']>
/** A function as an object: its name in `_` and its arguments. */
export type Call<N extends FunctionName = FunctionName> = N extends FunctionName ? Flat<{ _: N } & Arguments<N>> : never
/** The answer to a function. */
export type Answer<N extends FunctionName> = Functions[N]['type'] extends BoxedName
  ? Boxed<Functions[N]['type']>
  : never
