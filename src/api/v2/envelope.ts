import { type Json, stringifyJson } from '../../common/lossless-json.ts'

/** The ids of JSON-RPC, a boolean aside. */
type JsonRpcId = string | number | bigint | boolean | null

/** What a JSON-RPC caller sent and gets back; REST callers have none. */
export interface RpcEcho {
  readonly id?: JsonRpcId
}

const rpcFields = (rpc: RpcEcho | undefined): string => {
  if (!rpc) return ''
  return `,"jsonrpc":"2.0"${rpc.id === undefined ? '' : `,"id":${stringifyJson(rpc.id)}`}`
}

/** `{ok, result, @extra}` around the JSON text of a result. */
export const successText = (result: string, extra: string, rpc?: RpcEcho): string =>
  `{"ok":true,"result":${result},"@extra":${JSON.stringify(extra)}${rpcFields(rpc)}}`

/** `{ok, error, code, @extra}`; `code` is the HTTP status. */
export const failureText = (status: number, error: string, extra: string, rpc?: RpcEcho): string =>
  `{"ok":false,"error":${JSON.stringify(error)},"code":${status},"@extra":${JSON.stringify(extra)}${rpcFields(rpc)}}`

/** The `@extra` of answers that no method worked on, as the reference writes it. */
export const NO_EXTRA = '_'

/**
 * The `@extra` of an answer whose caller sent none: `<unix seconds>:_:<milliseconds spent>`, with `:c` after it when the
 * answer came from the cache (contracts/v2.md 1.4; the middle field stands for the workers, which we do not show).
 */
export const generatedExtra = (unixMs: number, elapsedMs: number, cached: boolean): string =>
  `${Math.floor(unixMs / 1000)}:_:${elapsedMs.toFixed(3)}${cached ? ':c' : ''}`

/**
 * The `@extra` to echo: text as it is, a number or boolean as its text, since the field is a string; undefined for
 * everything else.
 */
export const echoedExtra = (sent: Json | undefined): string | undefined => {
  if (typeof sent === 'string') return sent
  return sent === undefined || sent === null || typeof sent === 'object' ? undefined : String(sent)
}
