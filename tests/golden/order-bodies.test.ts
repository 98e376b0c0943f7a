import { expect, test } from 'bun:test'
import { parseMessageBody } from '../../src/contracts/multisig-order-bodies.ts'
import type { ParsedBody } from '../../src/contracts/parsed-body.ts'
import { readTransaction } from '../../src/model/transaction.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import { Cell } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { recordedChain } from '../support/recorded-chain.ts'

/** The recorded bodies that accounts took, by opcode. Bodies of fewer than 32 bits have none. */
const bodies = Map.groupBy(
  [MASTERCHAIN, 0].flatMap((workchain) =>
    [...recordedChain().shards(workchain).values()].flat().flatMap(({ root }) =>
      Array.from(blockTransactions(parseBlockExtra(parseBlock(root).extra).account_blocks), ({ cell }) => {
        const message = readTransaction(workchain, cell).in_msg
        return message?.body ?? null
      }).filter((body) => body instanceof Cell && !body.exotic && body.bits >= 32),
    ),
  ) as Cell[],
  (body) => beginParse(body).uint(32),
)
const parsed = (opcode: number): ParsedBody[] => (bodies.get(opcode) ?? []).map(parseMessageBody)

test.each([
  [0x2167da4b, 'ton_transfer'],
  [0x0f8a7ea5, 'jetton_transfer'],
  [0x595f07bc, 'jetton_burn'],
  [0x642b7d07, 'jetton_mint'],
  [0x00000015, 'jetton_mint'],
  [0x5fcc3d14, 'nft_transfer'],
  [0x6501f354, 'jetton_change_admin'],
  [0xfb88e119, 'jetton_claim_admin'],
  [0x235caf52, 'jetton_call_to'],
  [0xeed236d3, 'jetton_set_status'],
])('every recorded body under %p is told as %s', (opcode, type) => {
  const told = parsed(opcode)
  expect(told.length).toBeGreaterThan(0)
  expect(told.map((each) => each.type)).toEqual(told.map(() => type))
})

test('a stablecoin locks and unlocks a wallet with a call to it', () => {
  const calls = parsed(0x235caf52)
  expect(calls.map(({ fields }) => fields.action_type)).toEqual(['JettonSetStatus', 'JettonSetStatus'])
  const statuses = calls.map(({ fields }) => parseMessageBody(fields.action_data as Cell).fields.new_status)
  expect(statuses).toEqual([3, 0])
  expect(parsed(0xeed236d3).map(({ fields }) => fields.new_status)).toEqual([3, 0])
})

test('what a multisig carries out is no transfer of a vesting wallet', () => {
  const told = parsed(0x75097f5d)
  expect(told.length).toBeGreaterThan(0)
  expect(new Set(told.map(({ type }) => type))).toEqual(new Set(['unknown']))
})
