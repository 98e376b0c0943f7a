import { readAccount, readAccountWithSuspension, readShardAccount } from '../../../chain/accounts.ts'
import type { Chain } from '../../../chain/chain.ts'
import { detectAccountState } from '../../../contracts/account-state.ts'
import { readWalletInfo } from '../../../contracts/wallet-info.ts'
import { ref } from '../../json-schema.ts'
import { type CallContext, GET_POST, type Method, method } from '../method.ts'
import { address, int32 } from '../param.ts'
import { addressInformation, extendedAddressInformation, stateName, walletInformation } from '../serialize/accounts.ts'
import { tvmCell } from '../serialize/scalars.ts'
import { pinnedSeconds } from './cache-seconds.ts'

const seqno = int32({
  optional: true,
  positive: true,
  description: 'Masterchain block at which to read the account; the newest one when left out',
})

type Context = CallContext<Chain>

const getAddressInformation = method({
  name: 'getAddressInformation',
  group: 'accounts',
  summary: 'Balance, code, data and state of an account',
  verbs: GET_POST,
  params: { address: address({}), seqno },
  result: ref('AddressInformation'),
  cacheSeconds: pinnedSeconds,
  call: async ({ address, seqno }, { chain, signal }: Context) => {
    const { account, suspended } = await readAccountWithSuspension(chain, address, { seqno, signal })
    return addressInformation(account, suspended)
  },
})

const getExtendedAddressInformation = method({
  name: 'getExtendedAddressInformation',
  group: 'accounts',
  summary: 'An account with its contract recognised and the fields of known wallets, channels and resolvers',
  verbs: GET_POST,
  params: { address: address({ keepsForm: true }), seqno },
  result: ref('ExtendedAddressInformation'),
  cacheSeconds: pinnedSeconds,
  call: async ({ address, seqno }, { chain, signal }: Context) => {
    const account = await readAccount(chain, address, { seqno, signal })
    const { balance, code, data, frozen_hash, gen_utime } = account
    const detected = detectAccountState({ balance, code, data, frozenHash: frozen_hash, now: gen_utime })
    return extendedAddressInformation(address, account, detected)
  },
})

const getWalletInformation = method({
  name: 'getWalletInformation',
  group: 'accounts',
  summary: 'Version, seqno and wallet id of a wallet; for any other account just its balance and state',
  verbs: GET_POST,
  params: { address: address({}), seqno },
  result: ref('WalletInformation'),
  cacheSeconds: pinnedSeconds,
  call: async ({ address, seqno }, { chain, signal }: Context) => {
    const account = await readAccount(chain, address, { seqno, signal })
    return walletInformation(account, readWalletInfo(account.code, account.data))
  },
})

const getAddressBalance = method({
  name: 'getAddressBalance',
  group: 'accounts',
  summary: 'Balance of an account in nano-units',
  verbs: GET_POST,
  params: { address: address({}), seqno },
  result: ref('Int256'),
  cacheSeconds: pinnedSeconds,
  call: async ({ address, seqno }, { chain, signal }: Context) =>
    String((await readAccount(chain, address, { seqno, signal })).balance),
})

const getAddressState = method({
  name: 'getAddressState',
  group: 'accounts',
  summary: 'State of an account: uninitialized, active or frozen',
  verbs: GET_POST,
  params: { address: address({}), seqno },
  result: ref('AccountStateName'),
  cacheSeconds: pinnedSeconds,
  call: async ({ address, seqno }, { chain, signal }: Context) =>
    stateName(await readAccount(chain, address, { seqno, signal })),
})

const getShardAccountCell = method({
  name: 'getShardAccountCell',
  group: 'accounts',
  summary: "An account's entry in the shard state: its cell with the last transaction's hash and lt",
  verbs: GET_POST,
  params: { address: address({}), seqno },
  result: ref('TvmCell'),
  cacheSeconds: pinnedSeconds,
  call: async ({ address, seqno }, { chain, signal }: Context) =>
    tvmCell(await readShardAccount(chain, address, { seqno, signal })),
})

/** Methods that read one account (contracts/v2.md 5). */
export const accountsMethods: readonly Method<Chain>[] = [
  getAddressInformation,
  getExtendedAddressInformation,
  getWalletInformation,
  getAddressBalance,
  getAddressState,
  getShardAccountCell,
]
