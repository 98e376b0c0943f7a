import type { Steps } from '../../common/steps.ts'
import { accountBlocksOf, updatedAccounts } from './accounts.ts'
import type { Draft } from './draft.ts'

const step = function* <T>(make: () => T): Steps<T> {
  const made = make()
  yield
  return made
}

/**
 * What a block says of its accounts and messages, written once all of them have been worked on: dictionaries of accounts,
 * account blocks and message descriptors. A long piece of work for a full block: others have their turn between its parts.
 */
export function* writeContents(draft: Draft) {
  const used = draft.accounts.used()
  const account_blocks = yield* step(() => accountBlocksOf(used))
  const accounts = yield* step(() => updatedAccounts(draft.previous.accounts, used))
  const in_msg_descr = yield* step(() => draft.in_msgs.build())
  const out_msg_descr = yield* step(() => draft.out_msgs.build())
  return { used, account_blocks, accounts, in_msg_descr, out_msg_descr }
}
