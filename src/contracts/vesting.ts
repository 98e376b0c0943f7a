import { TonlithError } from '../common/errors.ts'
import type { VestingEntity } from '../model/entities.ts'
import { type Address, compareAddresses } from '../ton/address.ts'
import { dictEntries } from '../ton/dictionary.ts'
import type { StackValue } from '../ton/stack.ts'
import { cellAt, type GetMethods, numberAt, readAnswer, requiredAddressAt, uintAt } from './get-methods.ts'

type Stack = readonly StackValue[]

/** The one code (hash in hex) of vesting wallets: others may have a get_vesting_data of another meaning. */
const VESTING_CODE = 'b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590'

/** More than fit into any message that could add them. */
const MAX_WHITELIST = 4096

/** Hashmap 264 with keys of workchain:int8 account:bits256, ascending as they are; null is the empty one. */
const whitelistAt = (stack: Stack, index: number): Address[] => {
  if (stack[index]?._ === 'vm_stk_null') return []
  const found: Address[] = []
  for (const [key] of dictEntries(cellAt(stack, index), 264)) {
    if (found.length === MAX_WHITELIST) throw new TonlithError('limit', 'whitelist too long')
    found.push({ workchain: key.readInt8(0), hash: Buffer.from(key.subarray(1)) })
  }
  return found.sort(compareAddresses)
}

const readVesting = (stack: Stack): VestingEntity => ({
  _: 'vesting',
  start_time: numberAt(stack, 0),
  total_duration: numberAt(stack, 1),
  unlock_period: numberAt(stack, 2),
  cliff_duration: numberAt(stack, 3),
  total_amount: uintAt(stack, 4),
  sender_address: requiredAddressAt(stack, 5),
  owner_address: requiredAddressAt(stack, 6),
  whitelist: whitelistAt(stack, 7),
})

/** True for the code (representation hash) of vesting wallets. */
export const isVestingCode = (codeHash: Buffer): boolean => codeHash.toString('hex') === VESTING_CODE

/** What a contract with the code of vesting wallets vests, or undefined. Throws what `methods` throws. */
export const vestingEntity = async (methods: GetMethods, address: Address): Promise<VestingEntity | undefined> =>
  readAnswer(methods, await methods.run(address, 'get_vesting_data'), readVesting)
