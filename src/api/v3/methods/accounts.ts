import { readWalletInfo } from '../../../contracts/wallet-info.ts'
import { walletCodeByHash } from '../../../contracts/wallet-info-codes.ts'
import type { AccountRecord } from '../../../model/index-records.ts'
import type { IndexReader } from '../../../store/queries/index-reader.ts'
import { type Address, rawAddressUpper } from '../../../ton/address.ts'
import { parseBocRoot } from '../../../ton/boc.ts'
import { arrayOf } from '../../json-schema.ts'
import { goJson } from '../go-json.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { addresses, flag, hashes, PAGE_ONLY, refusal, requiredList, texts } from '../param.ts'
import { namesFields } from '../row-page.ts'
import { ACCOUNT_BALANCE, ACCOUNT_STATES, ADDRESS_BOOK, METADATA, WALLET_STATES } from '../schemas.ts'
import { accountStateFull, walletState } from '../serialize/accounts.ts'
import { base64 } from '../serialize/scalars.ts'
import { readAddress } from '../value-formats.ts'

type Context = CallContext<unknown>

const MAX_ADDRESSES = 1000

const asked = {
  address: requiredList(addresses(), 'address of account is required'),
  code_hash: hashes({ description: 'Only accounts with one of these codes' }),
  include_boc: flag(true, { description: 'Whether code and data are part of the answer' }),
}

const checkCount = ({ address }: { address: readonly Address[] }): void => {
  if (address.length > MAX_ADDRESSES) throw refusal(`maximum ${MAX_ADDRESSES} addresses allowed: ${address.length}`)
}

/** The stored accounts of these addresses, each once, in the order of the addresses. */
function* accountsOf(
  index: IndexReader,
  { address, code_hash }: { address: readonly Address[]; code_hash: readonly Buffer[] },
) {
  const wanted = code_hash.length > 0 ? new Set(code_hash.map(base64)) : undefined
  const unique = new Map(address.map((each) => [rawAddressUpper(each), each] as const))
  for (const each of unique.values()) {
    for (const account of index.accountStates([each])) {
      if (!wanted || (account.code_hash && wanted.has(base64(account.code_hash)))) yield account
    }
  }
}

const accountStates = get({
  name: 'accountStates',
  group: 'accounts',
  summary: 'The latest indexed states of accounts; those that the index has not seen are left out',
  params: asked,
  result: ACCOUNT_STATES,
  validate: checkCount,
  call: async ({ include_boc, ...filter }, context: Context) => {
    const { index, writer, codes } = context
    const read = index()
    const codeOf = (hash: Buffer) => read.codeOf(hash)
    const write = (account: AccountRecord): string => {
      const { code_hash, data_hash } = account
      const facts = code_hash ? codes(code_hash, codeOf) : undefined
      const bags = include_boc
        ? {
            code: code_hash ? read.codeOf(code_hash) : undefined,
            data: data_hash ? read.dataOf(account.address) : undefined,
          }
        : {}
      return goJson(accountStateFull(account, facts, bags))
    }
    const text = await writer.list(accountsOf(read, filter), write)
    const names = await namesFields(context, new Set(filter.address.map(rawAddressUpper)))
    return { text: `{"accounts":${text},${names}}` }
  },
})

const walletStates = get({
  name: 'walletStates',
  group: 'accounts',
  summary: 'As accountStates, with what the data of known wallets tells',
  params: asked,
  result: WALLET_STATES,
  validate: checkCount,
  call: async ({ include_boc: _, ...filter }, context: Context) => {
    const { writer } = context
    const read = context.index()
    const text = await writer.list(accountsOf(read, filter), (account) =>
      goJson(walletState(account, walletOf(read, account))),
    )
    const names = await namesFields(context, new Set(filter.address.map(rawAddressUpper)))
    return { text: `{"wallets":${text},${names}}` }
  },
})

const walletOf = (index: IndexReader, { address, code_hash, data_hash }: AccountRecord) => {
  if (!code_hash || !data_hash || !walletCodeByHash(code_hash)) return null
  const [code, data] = [index.codeOf(code_hash), index.dataOf(address)]
  return code && data ? readWalletInfo(parseBocRoot(code), parseBocRoot(data)) : null
}

const addressBook = get({
  name: 'addressBook',
  group: 'accounts',
  summary: 'How addresses are written for people, under the texts that they were sent as',
  params: {
    address: requiredList(texts({ description: 'Addresses in any form' }), 'at least 1 address required'),
  },
  needsIndex: false,
  result: ADDRESS_BOOK,
  call: async ({ address }, { book }: Context) => ({ text: await book.under(address) }),
})

const metadata = get({
  name: 'metadata',
  group: 'accounts',
  summary: 'What tokens are called and look like; other accounts are left out',
  params: {
    address: requiredList(
      texts({ description: 'Addresses in any form; repeated, or parted by commas' }),
      'at least 1 address required',
    ),
  },
  result: METADATA,
  call: async ({ address }, context: Context) => {
    context.index()
    const known = address.map(readAddress).filter((each) => each !== undefined)
    return { text: await context.metadata.always(known.map(rawAddressUpper)) }
  },
})

const topAccountsByBalance = get({
  name: 'topAccountsByBalance',
  group: 'accounts',
  summary: 'Indexed accounts by balance, the greatest first',
  params: PAGE_ONLY,
  result: arrayOf(ACCOUNT_BALANCE),
  call: ({ limit, offset, cursor }, { index, writer }: Context) => {
    const read = index()
    return writer.page(
      (page) => read.topAccounts(page),
      { limit, offset, sort: 'desc', after: cursor },
      ({ address, balance }) => goJson({ account: rawAddressUpper(address), balance: String(balance) }),
    )
  },
})

/** Methods that tell of accounts (contracts/v3.md 4.4). */
export const accountMethods: readonly GetMethod<unknown>[] = [
  accountStates,
  walletStates,
  addressBook,
  metadata,
  topAccountsByBalance,
]
