import { TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json, parseJson } from '../../common/lossless-json.ts'
import type { BodyReader } from '../request-body.ts'
import { bodyFailure, type Failure, requestFailure } from './errors.ts'
import type { ParamSource } from './method.ts'

export type JsonObject = { readonly [key: string]: Json }

/** How a body is read. */
export interface BodyRules {
  readonly read: BodyReader
  /** An empty body and `null` stand for `{}`, as the reference and its clients have it (contracts/v2.md 1.6, 20 #32). */
  readonly emptyIsObject: boolean
}

const parseObject = (text: string, emptyIsObject: boolean): JsonObject => {
  const value = emptyIsObject && text.trim() === '' ? null : parseJson(text)
  if (value === null && emptyIsObject) return {}
  if (!isJsonObject(value)) throw new TonlithError('invalid', 'body must be an object')
  return value
}

/** The JSON object in a request's body, or why there is none. */
export const takeObject = async (
  request: Request,
  { read, emptyIsObject }: BodyRules,
): Promise<{ object: JsonObject } | { failure: Failure }> => {
  let text: string
  try {
    text = await read(request)
  } catch (error) {
    return { failure: bodyFailure(error) }
  }
  try {
    return { object: parseObject(text, emptyIsObject) }
  } catch (error) {
    return { failure: requestFailure(error) }
  }
}

/** A key's value, when the object has it as its own. */
export const fieldOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The parameters in a JSON object; unknown keys are ignored. */
export const paramsIn =
  (object: JsonObject): ParamSource =>
  (name) =>
    fieldOf(object, name)
