import { VERSION } from '../common/version.ts'
import type { Cors } from './middleware/cors.ts'
import { JSON_TYPE, type Reply } from './reply.ts'

/** Turns a reply into the response to a request. */
export type ToResponse = (request: Request, reply: Reply) => Response

/**
 * Every response of the API is made here; each names the API's version. The headers of plain JSON replies are made once:
 * copying a Headers object costs a third of filling one.
 */
export const createToResponse = (cors: Cors): ToResponse => {
  const common = { 'x-api-version': VERSION }
  const plainJson = cors.always && new Headers({ 'content-type': JSON_TYPE, ...common, ...cors.always })
  return (request, { status, type, body, headers }) => {
    if (plainJson && headers === undefined && type === JSON_TYPE) {
      return new Response(body, { status, headers: plainJson })
    }
    return new Response(body, {
      status,
      headers: {
        ...(type === '' ? {} : { 'content-type': type }),
        ...common,
        ...cors.headersFor(request.headers.get('origin')),
        ...headers,
      },
    })
  }
}
