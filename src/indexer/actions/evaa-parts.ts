import { type EvaaUserCommand, readEvaaUserCommand } from '../../contracts/evaa-messages.ts'
import type { Cell } from '../../ton/cell.ts'
import { detailsOf, isCall, messageOf, type Part } from '../classify/part.ts'
import { maybe, type PartPattern, type Surroundings, where } from '../classify/pattern.ts'

const COMMENTS: readonly (string | null)[] = ['EVAA supply.', 'EVAA withdraw.', 'EVAA liquidation.']

/** What is left of what was sent along, given back with a word. */
export const rest: PartPattern = maybe(
  where((part) => {
    const transfer = detailsOf(part, 'ton_transfer')
    return transfer !== undefined && COMMENTS.includes(transfer.comment)
  }),
)

const commandOf = (part: Part): EvaaUserCommand | undefined =>
  isCall(part) ? readEvaaUserCommand(messageOf(part).body) : undefined

/** What a master told the contract of a user. Throws for another message. */
export const commandIn = (part: Part): EvaaUserCommand => {
  const command = commandOf(part)
  if (!command) throw new TypeError('no command of EVAA')
  return command
}

/** A command of a master to the contract of a user, which begins with the version of its code. */
export const command = (opcode: number, around: Surroundings = {}): PartPattern =>
  where((part) => commandOf(part)?.opcode === opcode, around)

/** A jetton transfer whose payload can be read so. */
export const carries =
  (read: (payload: Cell) => unknown) =>
  (part: Part): boolean => {
    const payload = detailsOf(part, 'jetton_transfer')?.forward_payload
    return payload !== undefined && payload !== null && read(payload) !== undefined
  }

/** An asset's id as clients get it. */
export const idText = (asset_id: bigint): string => `0x${asset_id.toString(16)}`
