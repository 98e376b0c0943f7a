import type { Handlers } from '../query.ts'
import { refuse } from './unsupported.ts'

/** What a node answers for a message that it has taken. */
const TAKEN = 1

export const sendMessage = {
  'liteServer.sendMessage': async ({ send }, { body }) => {
    if (!send) return refuse('it cannot take messages')
    await send(body)
    return { _: 'liteServer.sendMsgStatus', status: TAKEN }
  },
} satisfies Partial<Handlers>
