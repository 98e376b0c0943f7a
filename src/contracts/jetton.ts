import type { JettonMaster, JettonWallet } from '../model/jetton.ts'
import { type Address, sameAddress } from '../ton/address.ts'
import type { StackValue } from '../ton/stack.ts'
import { readTokenContent } from './content.ts'
import {
  addressAt,
  cellAt,
  type GetMethods,
  intAt,
  readOrNone,
  requiredAddressAt,
  stackAddress,
} from './get-methods.ts'

const readMaster = (stack: readonly StackValue[]): JettonMaster => ({
  _: 'jetton_master',
  total_supply: intAt(stack, 0),
  mintable: intAt(stack, 1) !== 0n,
  admin_address: addressAt(stack, 2),
  jetton_content: readTokenContent(cellAt(stack, 3)),
  jetton_wallet_code: cellAt(stack, 4),
})

const readWallet = (stack: readonly StackValue[]): JettonWallet => ({
  _: 'jetton_wallet',
  balance: intAt(stack, 0),
  owner: requiredAddressAt(stack, 1),
  jetton: requiredAddressAt(stack, 2),
  mintless_is_claimed: undefined,
  jetton_wallet_code: cellAt(stack, 3),
})

/** The jetton master that a contract is, or undefined when it does not answer as one. Throws what `methods` throws. */
export const findJettonMaster = async (methods: GetMethods, address: Address): Promise<JettonMaster | undefined> => {
  const data = await methods.run(address, 'get_jetton_data')
  return data && readOrNone(() => readMaster(data))
}

const isKnownToMaster = async (methods: GetMethods, address: Address, { owner, jetton }: JettonWallet) => {
  const answer = await methods.run(jetton, 'get_wallet_address', [stackAddress(owner)])
  const known = answer && readOrNone(() => requiredAddressAt(answer, 0))
  return known !== undefined && sameAddress(known, address)
}

const isClaimed = async (methods: GetMethods, address: Address): Promise<boolean | undefined> => {
  const answer = await methods.run(address, 'is_claimed')
  return answer && readOrNone(() => intAt(answer, 0) !== 0n)
}

/**
 * The jetton wallet that a contract is, or undefined: it must answer as one, and its master must name it as the wallet of
 * its owner. Throws what `methods` throws.
 */
export const findJettonWallet = async (methods: GetMethods, address: Address): Promise<JettonWallet | undefined> => {
  const data = await methods.run(address, 'get_wallet_data')
  const wallet = data && readOrNone(() => readWallet(data))
  if (!wallet || !(await isKnownToMaster(methods, address, wallet))) return undefined
  return { ...wallet, mintless_is_claimed: await isClaimed(methods, address) }
}
