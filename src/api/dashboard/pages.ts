import { emptyReply, type Reply, type ReplyHeaders, reply } from '../reply.ts'
import script from './script.js' with { type: 'text' }
import style from './style.css' with { type: 'text' }

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
/** They change with the program only, which a browser asks after each time. */
const PART: ReplyHeaders = { ...SECURITY, 'cache-control': 'no-cache' }

/** A page; nobody stores it. */
export const pageReply = (status: number, page: string, headers: ReplyHeaders = {}): Reply =>
  reply(status, 'text/html; charset=utf-8', page, { ...PAGE, ...headers })

/** Sends the browser on to another page, which it asks for with GET. @param path of this server, with its query */
export const seeOther = (path: string, headers: ReplyHeaders = {}): Reply =>
  emptyReply(303, { ...PAGE, location: path, ...headers })

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b63c5"/>' +
  '<path d="M8 10h16M16 10v14" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>'

/** What pages are made with, by path. */
export const PAGE_PARTS: Readonly<Record<string, () => Reply>> = {
  '/dashboard/style.css': () => reply(200, 'text/css; charset=utf-8', style, PART),
  '/dashboard/script.js': () => reply(200, 'text/javascript; charset=utf-8', script, PART),
  '/dashboard/icon.svg': () => reply(200, 'image/svg+xml', ICON, PART),
}
