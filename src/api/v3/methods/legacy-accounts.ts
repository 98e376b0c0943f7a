import { readAccount } from '../../../chain/accounts.ts'
import type { Chain } from '../../../chain/chain.ts'
import { TonlithError } from '../../../common/errors.ts'
import { readWalletInfo } from '../../../contracts/wallet-info.ts'
import type { IndexReader } from '../../../store/queries/index-reader.ts'
import type { Address } from '../../../ton/address.ts'
import { parseBocRoot } from '../../../ton/boc.ts'
import { cellToBoc } from '../../../ton/boc-writer.ts'
import { goJson } from '../go-json.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { address, flag, int32, refusal, required } from '../param.ts'
import { ADDRESS_INFORMATION, WALLET_INFORMATION } from '../schemas.ts'
import { addressInformation, type LegacyAccount, walletInformation } from '../serialize/accounts.ts'

type Context = CallContext<Chain>

const UNAUTHORIZED = 401

const params = {
  address: required(address(), 'address of account is required', UNAUTHORIZED),
  use_v2: flag(false, { description: 'Read the account live, and not from the index' }),
  seqno: int32({ description: 'Masterchain block at which to read it, live', hidden: true }),
  include_boc: flag(true, { description: 'Whether code and data are part of the answer', hidden: true }),
}

interface Values {
  address: Address
  use_v2: boolean
  seqno: number | undefined
}

/** The account as it is indexed; undefined where the index does not know all of it. */
const indexed = (index: IndexReader, address: Address): LegacyAccount | undefined => {
  const [account] = index.accountStates([address])
  if (!account) return undefined
  const code = account.code_hash && index.codeOf(account.code_hash)
  const data = account.data_hash && index.dataOf(address)
  return code === undefined || data === undefined ? undefined : { ...account, code, data }
}

const live = async (
  address: Address,
  seqno: number | undefined,
  { chain, signal }: Context,
): Promise<LegacyAccount> => {
  if (seqno !== undefined && seqno < 1) throw refusal(`seqno should be positive: ${seqno}`)
  const { code, data, ...account } = await readAccount(chain, address, { seqno, signal })
  return { ...account, code: code && cellToBoc(code), data: data && cellToBoc(data) }
}

/** The account as it is indexed. One that the index has not seen, or not wholly, is read live. */
const accountOf = async ({ address, use_v2, seqno }: Values, context: Context): Promise<LegacyAccount> => {
  const known = use_v2 || seqno !== undefined || !context.hasIndex ? undefined : indexed(context.index(), address)
  return known ?? live(address, seqno, context)
}

const addressInformationMethod = get({
  name: 'addressInformation',
  aliases: ['account'],
  group: 'api/v2',
  summary: 'An account; one that the index has not seen is read live',
  params,
  needsIndex: false,
  result: ADDRESS_INFORMATION,
  errors: { 401: 'address of account is required' },
  call: async ({ include_boc, ...values }, context: Context) => {
    const account = await accountOf(values, context)
    return { text: goJson(addressInformation(include_boc ? account : { ...account, code: null, data: null })) }
  },
})

const walletInformationMethod = get({
  name: 'walletInformation',
  aliases: ['wallet'],
  group: 'api/v2',
  summary: 'A wallet; one that the index has not seen is read live',
  params,
  needsIndex: false,
  result: WALLET_INFORMATION,
  errors: { 401: 'address of account is required', 409: 'not a wallet' },
  call: async (values, context: Context) => {
    const account = await accountOf(values, context)
    const { code, data, status } = account
    const wallet = readWalletInfo(code && parseBocRoot(code), data && parseBocRoot(data))
    if (!wallet && status !== 'uninit' && status !== 'nonexist') throw new TonlithError('conflict', 'not a wallet')
    return { text: goJson(walletInformation(account, wallet)) }
  },
})

/** Methods that tell of accounts as API v2 would (contracts/v3.md 4.9). */
export const legacyAccountMethods: readonly GetMethod<Chain>[] = [addressInformationMethod, walletInformationMethod]
