import { beginParse } from '../ton/slice.ts'
import { enter, type Fields, type Read, type Value } from './tlb/values.ts'

/** The messages that a wallet v1 to v4 is asked to send: a mode and a reference each, up to the end. */
export const walletMessages =
  (message: Read): Read =>
  (slice, budget) => {
    const count = slice.remainingRefs
    const value: Fields = { '@type': `msgs_${count}` }
    for (let i = 1; i <= count; i++) value[`msg_${i}`] = message(slice, budget)
    return value
  }

/** The actions of a wallet v5 beside those of the network: the first one in line, the next one in its reference. */
export const walletActions =
  (action: Read): Read =>
  (slice, budget) => {
    const actions: Value[] = [action(slice, budget)]
    let link = slice
    while (link.remainingRefs > 0) {
      enter(budget)
      link = beginParse(link.ref())
      actions.push(action(link, budget))
      budget.nesting--
    }
    return actions
  }
