import type { JettonMasterEntity, JettonWalletEntity } from '../model/entities.ts'
import type { JettonMaster, JettonWallet } from '../model/jetton.ts'
import { type Address, sameAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { StackValue } from '../ton/stack.ts'
import { contentOrNone, readTokenContent } from './content.ts'
import {
  addressAt,
  cellAt,
  flagAt,
  type GetMethods,
  intAt,
  readAnswer,
  readOrNone,
  requiredAddressAt,
  stackAddress,
} from './get-methods.ts'

/** What get_jetton_data tells, with the content still closed. */
interface MasterData extends Omit<JettonMaster, '_' | 'jetton_content'> {
  content: Cell
}

const readMaster = (stack: readonly StackValue[]): MasterData => ({
  total_supply: intAt(stack, 0),
  mintable: flagAt(stack, 1),
  admin_address: addressAt(stack, 2),
  content: cellAt(stack, 3),
  jetton_wallet_code: cellAt(stack, 4),
})

const masterData = async (methods: GetMethods, address: Address): Promise<MasterData | undefined> =>
  readAnswer(methods, await methods.run(address, 'get_jetton_data'), readMaster)

/** The jetton master that a contract is, or undefined when it does not answer as one. Throws what `methods` throws. */
export const findJettonMaster = async (methods: GetMethods, address: Address): Promise<JettonMaster | undefined> => {
  const data = await masterData(methods, address)
  if (!data) return undefined
  const { content, ...rest } = data
  const jetton_content = readOrNone(() => readTokenContent(content))
  return jetton_content && { _: 'jetton_master', ...rest, jetton_content }
}

/** As findJettonMaster; one whose content cannot be read has none. */
export const jettonMasterEntity = async (
  methods: GetMethods,
  address: Address,
): Promise<JettonMasterEntity | undefined> => {
  const data = await masterData(methods, address)
  if (!data || data.total_supply < 0n) return undefined
  const { total_supply, mintable, admin_address, content, jetton_wallet_code } = data
  return {
    _: 'jetton_master',
    total_supply,
    mintable,
    admin_address: admin_address ?? null,
    jetton_content: contentOrNone(methods, content),
    jetton_wallet_code_hash: jetton_wallet_code.hash(),
  }
}

/** What a wallet says of itself. */
export type JettonWalletData = Pick<JettonWallet, 'balance' | 'owner' | 'jetton'>

const readWallet = (stack: readonly StackValue[]): JettonWalletData & Pick<JettonWallet, 'jetton_wallet_code'> => ({
  balance: intAt(stack, 0),
  owner: requiredAddressAt(stack, 1),
  jetton: requiredAddressAt(stack, 2),
  jetton_wallet_code: cellAt(stack, 3),
})

const walletData = async (methods: GetMethods, address: Address) =>
  readAnswer(methods, await methods.run(address, 'get_wallet_data'), readWallet)

const isKnownToMaster = async (
  methods: GetMethods,
  address: Address,
  { owner, jetton }: JettonWalletData,
): Promise<boolean> => {
  const answer = await methods.run(jetton, 'get_wallet_address', [stackAddress(owner)])
  const known = answer && readOrNone(() => requiredAddressAt(answer, 0))
  const same = known !== undefined && sameAddress(known, address)
  if (!same) methods.fault?.('parent')
  return same
}

const isClaimed = async (methods: GetMethods, address: Address): Promise<boolean | undefined> => {
  const answer = await methods.run(address, 'is_claimed')
  return answer && readOrNone(() => flagAt(answer, 0))
}

/**
 * The jetton wallet that a contract is, or undefined: it must answer as one, and its master must name it as the wallet of
 * its owner. Throws what `methods` throws.
 */
export const findJettonWallet = async (methods: GetMethods, address: Address): Promise<JettonWallet | undefined> => {
  const wallet = await walletData(methods, address)
  if (!wallet || !(await isKnownToMaster(methods, address, wallet))) return undefined
  return { _: 'jetton_wallet', ...wallet, mintless_is_claimed: await isClaimed(methods, address) }
}

/** What is known of a wallet beforehand, so that less has to be asked. */
export interface KnownWallet {
  /** Its data, where it can be read without running it: it does not claim anything then. */
  data: JettonWalletData | undefined
  /** True when its master is known to know it as the wallet of this owner. */
  isTrusted(data: JettonWalletData): boolean
}

/** As findJettonWallet. */
export const jettonWalletEntity = async (
  methods: GetMethods,
  address: Address,
  known: KnownWallet,
): Promise<JettonWalletEntity | undefined> => {
  const data = known.data ?? (await walletData(methods, address))
  if (!data || data.balance < 0n) return undefined
  if (!known.isTrusted(data) && !(await isKnownToMaster(methods, address, data))) return undefined
  const { balance, owner, jetton } = data
  const claimed = known.data ? undefined : await isClaimed(methods, address)
  return { _: 'jetton_wallet', balance, owner, jetton, mintless_is_claimed: claimed ?? null }
}
