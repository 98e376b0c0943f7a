import { beginCell } from './builder.ts'
import type { Cell } from './cell.ts'
import { parseMessage } from './tlb/message.ts'
import { storeMsgAddressInt } from './tlb/msg-address.ts'

/**
 * The hash by which all forms of one external-in message are known (TEP-467): without source, import fee and StateInit,
 * and with the body in a cell of its own. Any other message keeps the hash of its cell. Throws `malformed` when the cell
 * is no TL-B Message Any.
 */
export const normalizedMessageHash = (cell: Cell): Buffer => {
  const { info, body } = parseMessage(cell)
  if (info._ !== 'ext_in_msg_info') return cell.hash()
  const head = beginCell().uint(0b10, 2).uint(0, 2)
  return storeMsgAddressInt(head, info.dest).coins(0n).bit(false).bit(true).ref(body).endCell().hash()
}
