/** A request on a connection of its own: it reaches any of the processes that answer. */
export const onFreshConnection = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, keepalive: false, headers: { connection: 'close', ...init.headers } })
