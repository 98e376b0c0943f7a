import { isTonlithError } from '../../common/errors.ts'
import { newMerchantKey } from '../../payments/secrets.ts'
import { addMerchantKey, listMerchantKeys, revokeMerchantKey } from '../../store/payments/merchants.ts'
import type { Reply } from '../reply.ts'
import { signOutAction } from './account-actions.ts'
import { notice } from './elements.ts'
import { KEY_NAME, type KeysShown, keysPage } from './keys-page.ts'
import { seeOther } from './pages.ts'
import { type MerchantVisit, secondsOf, show } from './visit.ts'

const PATH = '/dashboard/keys'

const shownKeys = (visit: MerchantVisit, shown: KeysShown, status?: number): Reply => {
  const { who, parts, token } = visit
  const keys = listMerchantKeys(parts.store, who.merchant.id)
  return show(visit, keysPage(keys, who.key.name, token, shown), status)
}

/** The list of keys. */
export const keysView = (visit: MerchantVisit): Reply =>
  shownKeys(visit, visit.query('done') === 'revoked' ? { notice: notice('good', 'The key is revoked.') } : {})

/** Makes a key, and shows it in the answer: it is kept nowhere. */
export const createKeyAction = (visit: MerchantVisit, form: URLSearchParams): Reply => {
  const { who, parts } = visit
  const name = (form.get('name') ?? '').trim()
  const refuse = (text: string): Reply => shownKeys(visit, { notice: notice('bad', text), typed: name }, 422)
  if (!KEY_NAME.test(name))
    return refuse('The name must have 1 to 64 letters, digits, “.”, “_” or “-”, the first a letter or digit.')
  const secret = newMerchantKey()
  try {
    addMerchantKey(parts.store, secret, { merchant: who.merchant.id, name, created: secondsOf(visit), revoked: null })
  } catch (error) {
    if (isTonlithError(error, 'conflict'))
      return refuse('A valid key has this name already. Choose another name, or revoke that key first.')
    if (isTonlithError(error, 'limit')) return refuse(`That are too many keys: ${error.message}.`)
    throw error
  }
  return shownKeys(visit, { made: { name, secret } })
}

/** Revokes a key; with that of this session the session ends. */
export const revokeKeyAction = (visit: MerchantVisit, form: URLSearchParams): Reply => {
  const { who, parts } = visit
  const name = form.get('name') ?? ''
  revokeMerchantKey(parts.store, who.merchant.id, name, secondsOf(visit))
  return name === who.key.name ? signOutAction(visit, 'revoked') : seeOther(`${PATH}?done=revoked`)
}
