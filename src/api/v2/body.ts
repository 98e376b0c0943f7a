import { TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json, parseJson } from '../../common/lossless-json.ts'
import type { BodyReader } from '../request-body.ts'
import { bodyFailure, type Failure, requestFailure } from './errors.ts'
import type { ParamSource } from './method.ts'

export type JsonObject = { readonly [key: string]: Json }

/** What stands in a body, or why nothing can be made of it. */
type Taken<T> = { readonly value: T } | { readonly failure: Failure }

/** An empty body and `null` stand for `{}`, as the reference and its clients have it (contracts/v2.md 1.6, 20 #32). */
const parseObject = (text: string): JsonObject => {
  const value = text.trim() === '' ? null : parseJson(text)
  if (value === null) return {}
  if (!isJsonObject(value)) throw new TonlithError('invalid', 'body must be an object')
  return value
}

const take = async <T>(request: Request, read: BodyReader, parse: (text: string) => T): Promise<Taken<T>> => {
  let text: string
  try {
    text = await read(request)
  } catch (error) {
    return { failure: bodyFailure(error) }
  }
  try {
    return { value: parse(text) }
  } catch (error) {
    return { failure: requestFailure(error) }
  }
}

/** The JSON object in a request's body, or why there is none. */
export const takeObject = (request: Request, read: BodyReader): Promise<Taken<JsonObject>> =>
  take(request, read, parseObject)

/** The JSON in a request's body, or why there is none. */
export const takeJson = (request: Request, read: BodyReader): Promise<Taken<Json>> => take(request, read, parseJson)

/** A key's value, when the object has it as its own. */
export const fieldOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The parameters in a JSON object; unknown keys are ignored. */
export const paramsIn =
  (object: JsonObject): ParamSource =>
  (name) =>
    fieldOf(object, name)
