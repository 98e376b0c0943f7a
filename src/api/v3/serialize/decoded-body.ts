import { textComment } from '../../../contracts/text-comment.ts'
import type { Cell } from '../../../ton/cell.ts'
import type { Wire } from '../go-json.ts'

/** What a body or a payload says, decoded (contracts/v3.md 8); null where it is not known, and for none. */
export const decodedBody = (body: Cell | null): Wire => {
  const comment = body && textComment(body)
  return comment === null ? null : { '@type': 'text_comment', comment, type: 'text_comment' }
}
