import { hostAddresses, type ResolveName, resolveName } from '../../common/host-addresses.ts'
import { portOf } from '../../common/pinned-request.ts'
import { isPublicAddress } from '../../common/public-address.ts'
import type { JsonMembers } from '../../model/token-info.ts'
import { readDataUri } from './data-uri.ts'
import type { FetchFailure } from './failures.ts'
import { type FetchTarget, redirectTarget, targetOf } from './fetch-target.ts'
import { type HttpAnswer, httpGet } from './http-get.ts'
import { readTokenDocument } from './token-document.ts'

export type FetchResult = { _: 'ready'; members: JsonMembers } | { _: 'failed'; failure: FetchFailure }

/** Fetches the document of a URI; never rejects. */
export type FetchUri = (uri: string, signal: AbortSignal) => Promise<FetchResult>

export interface FetchUriOptions {
  /** The URL that the CID of an `ipfs://` URI is appended to. */
  gateway: URL
  /** Which addresses and ports may be asked, but for the gateway. */
  allows?: (address: string, port: number) => boolean
  /** All addresses of a name. */
  resolve?: ResolveName
  /** Until an answer begins, and until all is there. */
  headMs?: number
  totalMs?: number
  /** Certificates that are trusted in place of the usual ones. */
  ca?: string
}

const HEAD_MS = 10_000
const TOTAL_MS = 30_000
const MAX_BYTES = 1 << 20
const MAX_REDIRECTS = 3
/** Addresses of one name that are tried. */
const MAX_ADDRESSES = 2

const failed = (failure: FetchFailure) => ({ _: 'failed', failure }) as const

/** Hosts of the public internet, at the ports of the web. */
const allowsPublic = (address: string, port: number): boolean =>
  (port === 80 || port === 443) && isPublicAddress(address)

/** Makes what fetches documents. Every address is checked before it is connected to, that of each redirect too. */
export const createFetchUri = (options: FetchUriOptions): FetchUri => {
  const { gateway, allows = allowsPublic, resolve = resolveName, headMs = HEAD_MS, totalMs = TOTAL_MS, ca } = options

  /** The addresses of a target that may be asked. */
  const addressesOf = async ({ url, own }: FetchTarget, signal: AbortSignal): Promise<string[] | FetchFailure> => {
    const all = await hostAddresses(url, resolve, signal)
    if (typeof all === 'string') return all
    const allowed = own ? all : all.filter((address) => allows(address, portOf(url)))
    return allowed.length > 0 ? allowed.slice(0, MAX_ADDRESSES) : 'blocked'
  }

  const ask = async (target: FetchTarget, signal: AbortSignal): Promise<HttpAnswer> => {
    const addresses = await addressesOf(target, signal)
    if (typeof addresses === 'string') return failed(addresses)
    let answer: HttpAnswer = failed('connection')
    for (const address of addresses) {
      answer = await httpGet(target.url, address, { headMs, maxBytes: MAX_BYTES, signal, ca })
      if (answer._ !== 'failed' || answer.failure !== 'connection') break
    }
    return answer
  }

  const follow = async (first: FetchTarget, signal: AbortSignal): Promise<HttpAnswer> => {
    let target = first
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await ask(target, signal)
      if (answer._ !== 'redirect') return answer
      const next = redirectTarget(target, answer.location, gateway)
      if (!next) return failed('uri')
      target = next
    }
    return failed('redirects')
  }

  const bytesOf = async (uri: string, outer: AbortSignal): Promise<HttpAnswer> => {
    if (/^data:/i.test(uri)) {
      const body = readDataUri(uri)
      return body ? { _: 'body', body } : failed('uri')
    }
    const target = targetOf(uri, gateway)
    return target ? await follow(target, AbortSignal.any([outer, AbortSignal.timeout(totalMs)])) : failed('uri')
  }

  return async (uri, signal) => {
    const answer = await bytesOf(uri, signal)
    if (answer._ !== 'body') return failed(answer._ === 'failed' ? answer.failure : 'redirects')
    const members = readTokenDocument(answer.body)
    return members ? { _: 'ready', members } : failed('json')
  }
}
