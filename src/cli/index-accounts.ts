import { readFile } from 'node:fs/promises'
import { TonlithError } from '../common/errors.ts'
import { type Address, rawAddress, tryParseAddress } from '../ton/address.ts'

const MAX_LENGTH = 64 << 20

const read = async (path: string): Promise<string> => {
  try {
    const text = await readFile(path, 'utf8')
    if (text.length <= MAX_LENGTH) return text
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new TonlithError('invalid', `the file of accounts cannot be read: ${path} (${code})`, { cause })
  }
  throw new TonlithError('invalid', `the file of accounts is longer than ${MAX_LENGTH} bytes: ${path}`)
}

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
export const readAccountList = async (path: string): Promise<Address[]> => {
  const found = new Map<string, Address>()
  for (const [i, line] of (await read(path)).split('\n').entries()) {
    const text = line.replace(/#.*/, '').trim()
    if (text === '') continue
    const address = addressOf(text, `${path}, line ${i + 1}`)
    found.set(rawAddress(address), address)
  }
  if (found.size === 0) throw new TonlithError('invalid', `the file of accounts names none: ${path}`)
  return [...found.values()]
}
