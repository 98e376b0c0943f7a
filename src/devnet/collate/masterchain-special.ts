import { TonlithError } from '../../common/errors.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import type { CurrencyCollection } from '../../ton/tlb/currency.ts'
import { buildMessage } from '../../ton/tlb/message.ts'
import type { MsgAddressInt } from '../../ton/tlb/msg-address.ts'
import { buildMsgEnvelope } from '../../ton/tlb/msg-envelope.ts'
import { importFees } from './descriptors.ts'
import type { Draft } from './draft.ts'
import { ARRIVED, envelopeOf } from './envelope.ts'
import { recordIn } from './recorded.ts'
import { commitTransaction, contextOf, firstMetadata, leastLt } from './run-message.ts'

/** From this global version on, the gas of these transactions does not fill the block. */
const FREE_GAS = 5
const NOBODY = Buffer.alloc(32)
const EMPTY = beginCell().endCell()

const address = (id: Buffer): MsgAddressInt => ({
  _: 'addr_std',
  anycast: null,
  workchain_id: MASTERCHAIN,
  address: id,
})

/** The message by which the block itself pays an account of the masterchain: from the address of zeros, without fees. */
const specialMessage = (destination: Buffer, value: CurrencyCollection, lt: bigint, now: number): Cell =>
  buildMessage({
    info: {
      _: 'int_msg_info',
      ihr_disabled: true,
      bounce: true,
      bounced: false,
      src: address(NOBODY),
      dest: address(destination),
      value,
      extra_flags: 0n,
      fwd_fee: 0n,
      created_lt: lt,
      created_at: now,
    },
    init: null,
    init_in_ref: false,
    body: EMPTY,
    body_in_ref: false,
  })

/**
 * Pays an account of the masterchain what is recovered or minted (node: Collator::create_special_transaction). Gives the InMsg,
 * which McBlockExtra names. Throws as the executor.
 */
export const paySpecial = (draft: Draft, destination: Buffer, value: CurrencyCollection): Cell => {
  const { input, start_lt, master } = draft
  const message = specialMessage(destination, value, start_lt, input.now)
  const account = draft.accounts.get(destination)
  const executed = input.executor.ordinary(account.cell, message, contextOf(draft, leastLt(draft, account, start_lt)))
  if (!executed.done) throw new TonlithError('internal', 'a message of the block itself was not accepted')
  const transaction = commitTransaction(
    draft,
    account,
    executed,
    (lt) => firstMetadata(draft, destination, lt),
    master.version.version < FREE_GAS,
  )
  const in_msg = buildMsgEnvelope(envelopeOf(message, ARRIVED, 0n, null))
  const entry = { _: 'msg_import_imm', in_msg, transaction, fwd_fee: 0n } as const
  return recordIn(draft, message.hash(), entry, importFees(0n))
}
