import { TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json, parseJson } from '../../common/lossless-json.ts'
import { within } from '../middleware/timeout.ts'
import { readBodyText } from '../request-body.ts'
import type { ParamSource } from './method.ts'

export type JsonObject = { readonly [key: string]: Json }

/** The body's text, waited for at most `ms` milliseconds. Errors as readBodyText, and `timeout`. */
export const receiveBody = (request: Request, ms: number): Promise<string> => within(ms, readBodyText(request))

/**
 * The object in a body's text. Where `emptyIsObject`, an empty body and `null` stand for `{}`, as the reference and its
 * clients have it (contracts/v2.md 1.6, 20 #32). Throws `malformed`, `limit` or `invalid`.
 */
export const parseObject = (text: string, emptyIsObject: boolean): JsonObject => {
  const value = emptyIsObject && text.trim() === '' ? null : parseJson(text)
  if (value === null && emptyIsObject) return {}
  if (!isJsonObject(value)) throw new TonlithError('invalid', 'body must be an object')
  return value
}

/** A key's value, when the object has it as its own. */
export const fieldOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The parameters in a JSON object; unknown keys are ignored. */
export const paramsIn =
  (object: JsonObject): ParamSource =>
  (name) =>
    fieldOf(object, name)
