import { ask, type Seen, type SmallApp } from './small-app.ts'

/** A browser without a screen: it keeps its cookie, and sends the forms of the pages that it was shown. */
export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Seen>
  /** Sends a form as the page does that was shown last. */
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Seen>
  signIn(key: string): Promise<Seen>
  /** `name=value` of its cookie; empty without one. */
  cookie(): string
}

const HOST = 'shop.example'

/** Opens the dashboard of an app. @param headers of every request, as a proxy in front adds them */
export const dashboardVisitor = (app: SmallApp, headers: Record<string, string> = {}): Visitor => {
  let cookie = ''
  let token = ''
  const request = async (path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Seen> => {
    const seen = await ask(app, path, {
      ...init,
      headers: { host: HOST, ...(cookie && { cookie }), ...headers, ...init.headers },
    })
    cookie = seen.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
    token = /name="token" value="([^"]*)"/.exec(seen.text)?.[1] ?? token
    return seen
  }
  const get: Visitor['get'] = (path, more = {}) => request(path, { headers: more })
  const send: Visitor['send'] = (path, fields, more = {}) =>
    request(path, {
      method: 'POST',
      body: new URLSearchParams({ token, ...fields }).toString(),
      headers: { origin: `http://${HOST}`, 'content-type': 'application/x-www-form-urlencoded', ...more },
    })
  return {
    get,
    send,
    signIn: async (key) => {
      await get('/dashboard/sign-in')
      return send('/dashboard/sign-in', { key })
    },
    cookie: () => cookie,
  }
}
