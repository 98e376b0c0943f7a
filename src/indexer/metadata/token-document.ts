import { isTonlithError } from '../../common/errors.ts'
import { jsonMembers } from '../../common/json-members.ts'
import { decodeUtf8 } from '../../common/utf8.ts'
import type { JsonMembers } from '../../model/token-info.ts'

const MAX_DEPTH = 32
const MAX_MEMBERS = 256
/** Bytes of a document that are kept: answers hold up to a thousand of them. */
const MAX_KEPT_BYTES = 64 << 10

const BOM = /^\ufeff/

const sizeOf = ([name, text]: readonly [string, string]): number => Buffer.byteLength(name) + Buffer.byteLength(text)

/** Leaves out the largest members until the rest may be kept. */
const keep = (members: JsonMembers): JsonMembers => {
  const sizes = members.map((member) => ({ member, size: sizeOf(member) }))
  let total = sizes.reduce((sum, { size }) => sum + size, 0)
  const dropped = new Set<JsonMembers[number]>()
  for (const { member, size } of sizes.sort((a, b) => b.size - a.size)) {
    if (total <= MAX_KEPT_BYTES) break
    dropped.add(member)
    total -= size
  }
  return members.filter((member) => !dropped.has(member))
}

/** The members of the JSON object that stands in `bytes`; undefined where none does that can be kept. */
export const readTokenDocument = (bytes: Buffer): JsonMembers | undefined => {
  const text = decodeUtf8(bytes)?.replace(BOM, '')
  if (text === undefined) return undefined
  try {
    const members = jsonMembers(text, MAX_DEPTH)
    return members && members.size <= MAX_MEMBERS ? keep([...members]) : undefined
  } catch (error) {
    if (isTonlithError(error)) return undefined
    throw error
  }
}
