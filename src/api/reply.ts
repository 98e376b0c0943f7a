/** Headers of a reply beside those that every response has. */
export type ReplyHeaders = Readonly<Record<string, string>>

/** An answer as data; the gate turns it into a Response. */
export interface Reply {
  readonly status: number
  /** Content type; empty for a reply without a body. */
  readonly type: string
  readonly body: string | Blob | null
  readonly headers?: ReplyHeaders
}

export type Replied = Reply | Promise<Reply>

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A reply with any body. */
export const reply = (status: number, type: string, body: string | Blob, headers?: ReplyHeaders): Reply =>
  headers === undefined ? { status, type, body } : { status, type, body, headers }

/** A JSON reply; `text` is the JSON itself. */
export const jsonReply = (status: number, text: string, headers?: ReplyHeaders): Reply =>
  reply(status, JSON_TYPE, text, headers)

/** A reply without a body. */
export const emptyReply = (status: number, headers?: ReplyHeaders): Reply =>
  headers === undefined ? { status, type: '', body: null } : { status, type: '', body: null, headers }
