import { type CallContext, type GetMethod, get } from '../method.ts'
import { addressOrNull, direction, flag, hash, hashes, lt, opcode, PAGE, utime } from '../param.ts'
import { createNames, namesFields } from '../row-page.ts'
import { MESSAGES } from '../schemas.ts'
import { message } from '../serialize/messages.ts'

const messages = get({
  name: 'messages',
  group: 'blockchain',
  summary:
    'Messages, each once; by created_lt, or by created_at where time is filtered. Those from outside stand at the lt and the time of the transaction that took them',
  params: {
    msg_hash: hashes({ description: 'Any of these message hashes, normalised or not', aliases: ['hash'] }),
    body_hash: hash({ description: 'Hash of the body' }),
    source: addressOrNull({ description: 'Sender, or null for messages from outside' }),
    destination: addressOrNull({ description: 'Receiver, or null for messages to the outside' }),
    opcode: opcode(),
    start_utime: utime(),
    end_utime: utime(),
    start_lt: lt({ description: 'Least created_lt' }),
    end_lt: lt({ description: 'Greatest created_lt' }),
    direction: direction({ description: 'Only messages that a transaction took (in) or sent (out)' }),
    exclude_externals: flag(false, { description: 'Without messages from outside' }),
    only_externals: flag(false, { description: 'Only messages from outside' }),
    ...PAGE,
  },
  result: MESSAGES,
  call: async ({ msg_hash, limit, offset, sort, cursor, ...rest }, context: CallContext<unknown>) => {
    const { writer, hasIhrFee } = context
    const read = context.index()
    const filter = { ...rest, hashes: msg_hash }
    const names = createNames()
    const { text, next } = await writer.page(
      read.pages.messages(filter, sort),
      { limit, offset, sort, after: cursor },
      ({ cell, in_tx, out_tx, mc_seqno }) => {
        const { source, destination, wire } = message(cell, { hasIhrFee: hasIhrFee(read, mc_seqno), in_tx, out_tx })
        return names.text({ wire, addresses: [source, destination] })
      },
    )
    return { text: `{"messages":${text},${await namesFields(context, names.named)}}`, next }
  },
})

/** Methods that tell of messages (contracts/v3.md 4.3). */
export const messageMethods: readonly GetMethod<unknown>[] = [messages]
