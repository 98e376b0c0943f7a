import { decodedPayload } from '../../../contracts/body-json.ts'
import type { Cell } from '../../../ton/cell.ts'
import type { Wire } from '../go-json.ts'

/** What the body of a message or a payload says (contracts/v3.md 8); null where nothing is known of it. */
export const decodedBody = (body: Cell | null): Wire => body && decodedPayload(body)
