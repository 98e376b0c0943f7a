import { TonlithError } from '../common/errors.ts'
import { readNamedFile } from '../common/regular-file.ts'
import { type Address, rawAddress, tryParseAddress } from '../ton/address.ts'

const MAX_LENGTH = 64 << 20

/** An address in any form. Throws `invalid` that says where it stands. */
export const addressOf = (text: string, where: string): Address => {
  const address = tryParseAddress(text)
  if (!address) throw new TonlithError('invalid', `${text} is no address (${where})`)
  return address
}

/**
 * Addresses out of a file with one account a line, each once, in any form; what follows a `#` and empty lines do not count.
 * @throws TonlithError `invalid` that names the file and the line
 */
export const readAccountList = (path: string): Address[] => {
  const lines = readNamedFile('the file of accounts', path, MAX_LENGTH).toString('utf8').split('\n')
  const found = new Map<string, Address>()
  for (const [i, line] of lines.entries()) {
    const text = line.replace(/#.*/, '').trim()
    if (text === '') continue
    const address = addressOf(text, `${path}, line ${i + 1}`)
    found.set(rawAddress(address), address)
  }
  if (found.size === 0) throw new TonlithError('invalid', `the file of accounts names none: ${path}`)
  return [...found.values()]
}
