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

/** `{ok, result, @extra}` around the JSON text of a result; `extra` is JSON text too, here and below. */
export const successText = (result: string, extra: string, rpc?: RpcEcho): string =>
  `{"ok":true,"result":${result},"@extra":${extra}${rpcFields(rpc)}}`

/** `{ok, error, code, @extra}`; `code` is the HTTP status. */
export const failureText = (status: number, error: string, extra: string, rpc?: RpcEcho): string =>
  `{"ok":false,"error":${JSON.stringify(error)},"code":${status},"@extra":${extra}${rpcFields(rpc)}}`

/** The `@extra` of answers that no method worked on, as the reference writes it. */
export const NO_EXTRA = '"_"'

/** Three decimals, as toFixed(3) writes them in ten times the time. */
const milliseconds = (ms: number): string => {
  const micros = Math.round(ms * 1000)
  const part = micros % 1000
  return `${(micros - part) / 1000}.${part < 10 ? '00' : part < 100 ? '0' : ''}${part}`
}

/**
 * The `@extra` of an answer whose caller sent none: `<unix seconds>:_:<milliseconds spent>`, with `:c` after it when the
 * answer came from the cache (contracts/v2.md 1.4; the middle field stands for the workers, which we do not show). JSON text.
 */
export const generatedExtra = (unixMs: number, elapsedMs: number, cached: boolean): string =>
  `"${Math.floor(unixMs / 1000)}:_:${milliseconds(elapsedMs)}${cached ? ':c' : ''}"`

/**
 * The `@extra` to echo, as JSON text: text as it is, a number or boolean as its text, since the field is a string;
 * undefined for everything else.
 */
export const echoedExtra = (sent: Json | undefined): string | undefined => {
  if (typeof sent === 'string') return JSON.stringify(sent)
  return sent === undefined || sent === null || typeof sent === 'object' ? undefined : `"${sent}"`
}
