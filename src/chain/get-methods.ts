import { isTonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import type { GetMethods } from '../contracts/get-methods.ts'
import type { Account } from '../model/account.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { MASTERCHAIN } from '../ton/block-id.ts'
import { methodId } from '../ton/method-id.ts'
import { buildStack } from '../ton/stack.ts'
import { configAddresses } from '../ton/tlb/config-addresses.ts'
import { pinFor } from './arrival.ts'
import { pinBlock } from './blocks.ts'
import type { Chain } from './chain.ts'
import { configAt } from './config.ts'
import { type Contract, callContract, givenContract, openContract } from './run-method.ts'

export interface GetMethodsQuery {
  /** Masterchain block at which all methods run; the newest one when undefined. */
  seqno: number | undefined
  signal: StopSignal
  /** Gas of one get-method; as of runMethod when undefined. */
  gas_limit?: number | undefined
  /** True to tell contracts the time of the masterchain block, not that of the block whose state holds them. */
  masterchainTime?: boolean | undefined
  /** Contracts that are otherwise than the block has them, or not there yet. */
  instead?: ((address: Address) => GivenContract | undefined) | undefined
}

/** A contract that is told, not read. */
export type GivenContract = Pick<Account, 'code' | 'data' | 'balance' | 'extra_currencies'>

/** The emulator refused the contract, or its answer was too large: a matter of the contract, not of the chain. */
const isRefusal = (error: unknown): boolean => isTonlithError(error, 'unsupported') && error.code !== undefined

/**
 * The contracts of the chain at one masterchain block; each account is read once. Throws what finding the block throws,
 * and its methods what reading the chain and running the TVM throw; a contract that the TVM refuses has no answer.
 */
export const getMethodsAt = async (chain: Chain, query: GetMethodsQuery): Promise<GetMethods> => {
  const { signal, gas_limit } = query
  const pinned = await pinBlock(chain, query.seqno, signal)
  const now = query.masterchainTime ? pinned.gen_utime : undefined
  const contracts = new Map<string, Promise<Contract>>()
  /** Contracts that are taken in when they are asked for are not there yet at the block where it begins. */
  const isTakenIn = chain.arrive !== undefined && query.seqno === undefined
  const open = async (address: Address): Promise<Contract> => {
    const given = query.instead?.(address)
    if (given) return givenContract(chain, address, given, pinned)
    return openContract(chain, address, isTakenIn ? await pinFor(chain, address, undefined, signal) : pinned, signal)
  }
  const contractOf = (address: Address): Promise<Contract> =>
    contracts.getOrInsertComputed(rawAddress(address), () => open(address))

  return {
    run: async (address, method, args = []) => {
      const contract = await contractOf(address)
      const call = { method_id: methodId(method), stack: buildStack(args), signal, gas_limit, now }
      try {
        const { exit_code, stack } = await callContract(chain, contract, call)
        return exit_code === 0 ? stack : undefined
      } catch (error) {
        if (isRefusal(error)) return undefined
        throw error
      }
    },
    dnsRoot: async () => {
      const hash = configAddresses(await configAt(chain, pinned.id)).dns_root_addr
      return hash ? { workchain: MASTERCHAIN, hash } : undefined
    },
  }
}
