import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stackAddress } from '../../src/contracts/get-methods.ts'
import { findToken } from '../../src/contracts/token.ts'
import { type Address, rawAddress, tryParseAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { parseStack, type StackValue } from '../../src/ton/stack.ts'
import { type Counts, count, countsText } from '../support/counts.ts'
import { fakeContracts } from '../support/fake-contracts.ts'
import { offchainContent } from '../support/token-content.ts'

/** Tokens of the public network, found from the results that the official TVM gave for their get-methods. */

const data = process.env['TONLITH_CHAIN_DATA']

interface Recorded {
  account: string
  methods: Record<string, { exit_code: number; stack_boc: string }>
  /** What an independent inspector says that it is; undefined where none was asked. */
  interfaces: string[] | undefined
}

const read = <T>(name: string): T => JSON.parse(readFileSync(join(data!, 'accounts', name), 'utf8'))

const everyAccount = (): Recorded[] => {
  const inspected = read<{
    cases: { account: string; get_methods: Recorded['methods']; expected_interfaces: string[] }[]
  }>('inspect_cases.json')
  const fatBlock = read<{ accounts: { account: string; methods?: Recorded['methods'] }[] }>('fat_block_getmethods.json')
  return [
    ...inspected.cases.map(({ account, get_methods, expected_interfaces }) => ({
      account,
      methods: get_methods,
      interfaces: expected_interfaces,
    })),
    ...fatBlock.accounts.map(({ account, methods = {} }) => ({ account, methods, interfaces: undefined })),
  ]
}

const answersOf = ({ methods }: Recorded): Record<string, StackValue[]> =>
  Object.fromEntries(
    Object.entries(methods)
      .filter(([, { exit_code }]) => exit_code === 0)
      .map(([name, { stack_boc }]) => [name, parseStack(parseBocRoot(Buffer.from(stack_boc, 'base64')))]),
  )

/** The contracts behind a token were not recorded; these know whoever names them. */
const parentOf = (child: Address) => ({
  get_wallet_address: [stackAddress(child)],
  get_nft_address_by_index: [stackAddress(child)],
  get_nft_content: [{ _: 'vm_stk_cell', cell: offchainContent('https://example.com') }] satisfies StackValue[],
})

const KINDS = [
  ['get_jetton_data', 'jetton_master', 'JettonMaster'],
  ['get_wallet_data', 'jetton_wallet', 'JettonWallet'],
  ['get_collection_data', 'nft_collection', 'NftCollection'],
  ['get_nft_data', 'nft_item', 'NftItem'],
] as const

test('every recorded token is found as what it is', async () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no tokens of public networks are read')
  const counts: Counts = new Map()
  for (const recorded of everyAccount()) {
    const address = tryParseAddress(recorded.account)!
    const answers = answersOf(recorded)
    const parent = parentOf(address)
    const known = fakeContracts({ [rawAddress(address)]: answers })
    const methods = {
      ...known,
      run: async (at: Address, method: string, args: readonly StackValue[] = []) =>
        rawAddress(at) === rawAddress(address)
          ? known.run(at, method, args)
          : fakeContracts({ [rawAddress(at)]: parent }).run(at, method, args),
    }
    const kind = KINDS.find(([method]) => method in answers)
    const token = await findToken(methods, address)
    expect([recorded.account, token?._]).toEqual([recorded.account, kind?.[1]])
    if (kind && recorded.interfaces) expect(recorded.interfaces).toContain(kind[2])
    if (token) count(counts, token._)
  }
  console.log(`tokens of the public network: ${countsText(counts)}`)
  expect(counts.size).toBeGreaterThan(0)
})
