import type { GetMethods } from '../../src/contracts/get-methods.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import type { StackValue } from '../../src/ton/stack.ts'

/** What a get-method leaves behind; undefined for an exception. */
type Answer = readonly StackValue[] | undefined
/** A contract by its get-methods: what they answer, or what makes the answer. */
export type FakeContract = Readonly<Record<string, Answer | ((args: readonly StackValue[]) => Answer)>>

export interface FakeContracts extends GetMethods {
  /** Get-methods that were run, in order. */
  readonly asked: string[]
}

/** Contracts by their raw addresses; all others have no code. */
export const fakeContracts = (contracts: Readonly<Record<string, FakeContract>>, dnsRoot?: Address): FakeContracts => {
  const asked: string[] = []
  return {
    asked,
    run: async (address, method, args = []) => {
      asked.push(method)
      const answer = contracts[rawAddress(address)]?.[method]
      return typeof answer === 'function' ? answer(args) : answer
    },
    dnsRoot: async () => dnsRoot,
  }
}

/** A made-up account. */
export const account = (n: number, workchain = 0): Address => ({ workchain, hash: Buffer.alloc(32, n) })
