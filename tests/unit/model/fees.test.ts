import { describe, expect, test } from 'bun:test'
import { transactionFees } from '../../../src/model/fees.ts'
import { forwardFee } from '../../../src/ton/forward-fee.ts'
import { parseAccount, type ShardAccount } from '../../../src/ton/tlb/account.ts'
import { blockTransactions } from '../../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { configParam } from '../../../src/ton/tlb/config-params.ts'
import { isFundamentalSmc } from '../../../src/ton/tlb/fundamental-smc.ts'
import { parseMessage } from '../../../src/ton/tlb/message.ts'
import { parseMsgForwardPrices } from '../../../src/ton/tlb/msg-forward-prices.ts'
import { parseShardStateUnsplit, shardAccount } from '../../../src/ton/tlb/shard-state.ts'
import { outMsgs, parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type RecordedExternal, recordedConfig, recordedExternals } from '../../support/recorded-externals.ts'

const pricesOf = ({ address, block }: RecordedExternal) => {
  const masterchain = address.workchain === -1
  return parseMsgForwardPrices(configParam(recordedConfig(block.mc_seqno - 1), masterchain ? 24 : 25)!)
}

const isFundamental = ({ address, block }: RecordedExternal): boolean =>
  address.workchain === -1 && isFundamentalSmc(recordedConfig(block.mc_seqno - 1), address.hash)

const balanceOf = ({ account }: ShardAccount): bigint => {
  const parsed = parseAccount(account)
  return parsed._ === 'account' ? parsed.storage.balance.grams : 0n
}

describe('the fees of a transaction', () => {
  const all = [...recordedExternals()]

  test('have the price of the import among them, none for fundamental contracts', () => {
    let fundamental = 0
    for (const recorded of all) {
      const { in_fwd_fee } = transactionFees(recorded.transaction)
      if (!isFundamental(recorded)) expect(in_fwd_fee).toBe(forwardFee(pricesOf(recorded), recorded.message))
      else {
        expect(in_fwd_fee).toBe(0n)
        fundamental++
      }
    }
    expect(fundamental).toBeGreaterThan(0)
  })

  test('are what the account lost beside what it sent', () => {
    let count = 0
    for (const { address, entry, transaction, block } of all) {
      const after = shardAccount(parseShardStateUnsplit(block.state).accounts, address.hash)
      if (after?.last_trans_lt !== parseTransaction(transaction).lt) continue
      const { in_fwd_fee, storage_fee, gas_fee, fwd_fee } = transactionFees(transaction)
      const sent = [...outMsgs(parseTransaction(transaction))].map((message) => parseMessage(message).info)
      const value = sent.reduce((sum, info) => sum + (info._ === 'int_msg_info' ? info.value.grams : 0n), 0n)
      const paid = in_fwd_fee + storage_fee + gas_fee + fwd_fee
      expect(balanceOf(entry) - balanceOf(after)).toBe(paid + value)
      count++
    }
    expect(count).toBeGreaterThan(900)
  })

  test('are not those of a tick', () => {
    const { account_blocks } = parseBlockExtra(parseBlock(recordedChain().masterchain(1)!.root).extra)
    const [tick] = blockTransactions(account_blocks)
    expect(failureOf(() => transactionFees(tick!.cell))).toBe('malformed')
  })
})
