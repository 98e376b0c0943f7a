import type { GetMethods } from '../../src/contracts/get-methods.ts'
import { stackAddress } from '../../src/contracts/get-methods.ts'
import { type Address, sameAddress } from '../../src/ton/address.ts'
import type { StackValue } from '../../src/ton/stack.ts'
import { offchainContent } from './token-content.ts'

/** The methods of a contract whose parents, which are not there, know whoever asks. */
export const knowing = (child: Address, methods: GetMethods): GetMethods => ({
  ...methods,
  run: async (address, method, args = []): Promise<readonly StackValue[] | undefined> => {
    if (sameAddress(address, child)) return methods.run(address, method, args)
    if (method === 'get_nft_content') return [{ _: 'vm_stk_cell', cell: offchainContent('https://example.com') }]
    return method === 'dnsresolve' ? undefined : [stackAddress(child)]
  },
})
