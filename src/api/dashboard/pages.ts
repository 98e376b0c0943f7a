import { emptyReply, type Reply, type ReplyHeaders, reply } from '../reply.ts'
import { type Asset, ICON, SCRIPT, STYLE } from './assets.ts'

const SECURITY: ReplyHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // `no-referrer` would take the Origin from the forms.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const PAGE: ReplyHeaders = { ...SECURITY, 'cache-control': 'no-store' }
const ASSET: ReplyHeaders = { ...SECURITY, 'cache-control': 'public, max-age=31536000, immutable' }

/** A page; nobody stores it. */
export const pageReply = (status: number, page: string, headers: ReplyHeaders = {}): Reply =>
  reply(status, 'text/html; charset=utf-8', page, { ...PAGE, ...headers })

/** Sends the browser on to another page, which it asks for with GET. @param path of this server, with its query */
export const seeOther = (path: string, headers: ReplyHeaders = {}): Reply =>
  emptyReply(303, { ...PAGE, location: path, ...headers })

const assetReply = ({ type, text }: Asset): Reply => reply(200, type, text, ASSET)

/** What pages are made with, by path. */
export const ASSETS: ReadonlyMap<string, () => Reply> = new Map(
  [STYLE, SCRIPT, ICON].map((asset) => [asset.path, () => assetReply(asset)]),
)
