import { type Address, type ExternalAddress, loadTransaction } from '@ton/core'
import type { Cell } from '../../src/ton/cell.ts'
import { type CurrencyCollection, extraCurrencies } from '../../src/ton/tlb/currency.ts'
import { type CommonMsgInfo, parseMessage } from '../../src/ton/tlb/message.ts'
import { accountOf, type MsgAddress } from '../../src/ton/tlb/msg-address.ts'
import { outMsgs, parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr, type TransactionDescr } from '../../src/ton/tlb/transaction-descr.ts'
import type {
  TrActionPhase,
  TrBouncePhase,
  TrComputePhase,
  TrStoragePhase,
} from '../../src/ton/tlb/transaction-phases.ts'
import { toTonCore } from './ton-core.ts'

const number = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`)
const after = (prefix: string, name: string): string => name.slice(prefix.length).replaceAll('_', '-')

const value = ({ grams, other }: CurrencyCollection): object => ({
  coins: grams,
  other: other ? extraCurrencies(other) : undefined,
})

const storage = (phase: TrStoragePhase | null): object | undefined =>
  phase
    ? {
        storageFeesCollected: phase.storage_fees_collected,
        storageFeesDue: phase.storage_fees_due ?? undefined,
        statusChange: after('acst_', phase.status_change),
      }
    : undefined

const compute = (phase: TrComputePhase): object =>
  phase._ === 'tr_phase_compute_skipped'
    ? { type: 'skipped', reason: after('cskip_', phase.reason) }
    : {
        type: 'vm',
        success: phase.success,
        messageStateUsed: phase.msg_state_used,
        accountActivated: phase.account_activated,
        gasFees: phase.gas_fees,
        gasUsed: phase.gas_used,
        gasLimit: phase.gas_limit,
        gasCredit: phase.gas_credit ?? undefined,
        mode: phase.mode,
        exitCode: phase.exit_code,
        exitArg: phase.exit_arg ?? undefined,
        vmSteps: phase.vm_steps,
        vmInitStateHash: number(phase.vm_init_state_hash),
        vmFinalStateHash: number(phase.vm_final_state_hash),
      }

const action = (phase: TrActionPhase | null): object | undefined =>
  phase
    ? {
        success: phase.success,
        valid: phase.valid,
        noFunds: phase.no_funds,
        statusChange: after('acst_', phase.status_change),
        totalFwdFees: phase.total_fwd_fees ?? undefined,
        totalActionFees: phase.total_action_fees ?? undefined,
        resultCode: phase.result_code,
        resultArg: phase.result_arg ?? undefined,
        totalActions: phase.tot_actions,
        specActions: phase.spec_actions,
        skippedActions: phase.skipped_actions,
        messagesCreated: phase.msgs_created,
        actionListHash: number(phase.action_list_hash),
        totalMessageSize: phase.tot_msg_size,
      }
    : undefined

const bounce = (phase: TrBouncePhase | null): object | undefined => {
  if (!phase) return undefined
  if (phase._ === 'tr_phase_bounce_negfunds') return { type: 'negative-funds' }
  const messageSize = phase.msg_size
  return phase._ === 'tr_phase_bounce_ok'
    ? { type: 'ok', messageSize, messageFees: phase.msg_fees, forwardFees: phase.fwd_fees }
    : { type: 'no-funds', messageSize, requiredForwardFees: phase.req_fwd_fees }
}

const description = (descr: TransactionDescr): object => {
  if (descr._ === 'trans_ord')
    return {
      type: 'generic',
      creditFirst: descr.credit_first,
      storagePhase: storage(descr.storage_ph),
      creditPhase: descr.credit_ph
        ? { dueFeesColelcted: descr.credit_ph.due_fees_collected ?? undefined, credit: value(descr.credit_ph.credit) }
        : undefined,
      computePhase: compute(descr.compute_ph),
      actionPhase: action(descr.action),
      bouncePhase: bounce(descr.bounce),
      aborted: descr.aborted,
      destroyed: descr.destroyed,
    }
  if (descr._ !== 'trans_tick_tock') throw new Error(`unexpected ${descr._}`)
  return {
    type: 'tick-tock',
    isTock: descr.is_tock,
    storagePhase: storage(descr.storage_ph),
    computePhase: compute(descr.compute_ph),
    actionPhase: action(descr.action),
    aborted: descr.aborted,
    destroyed: descr.destroyed,
  }
}

const address = (source: MsgAddress): string | null => {
  const account = accountOf(source)
  if (account) return `${account.workchain}:${account.hash.toString('hex')}`
  return source._ === 'addr_extern' ? `${source.len}:${number(source.external_address.bytes)}` : null
}

const info = (source: CommonMsgInfo): object => {
  const dest = address(source.dest)
  const src = address(source.src)
  switch (source._) {
    case 'int_msg_info':
      return {
        type: 'internal',
        ihrDisabled: source.ihr_disabled,
        bounce: source.bounce,
        bounced: source.bounced,
        src,
        dest,
        value: value(source.value),
        ihrFee: source.extra_flags,
        forwardFee: source.fwd_fee,
        createdLt: source.created_lt,
        createdAt: source.created_at,
      }
    case 'ext_in_msg_info':
      return { type: 'external-in', src, dest, importFee: source.import_fee }
    case 'ext_out_msg_info':
      return { type: 'external-out', src, dest, createdLt: source.created_lt, createdAt: source.created_at }
  }
}

const message = (cell: Cell): object => {
  const parsed = parseMessage(cell)
  return { info: info(parsed.info), body: parsed.body.hash().toString('hex') }
}

/** What our parsers make of a transaction and its messages, in @ton/core's shape. */
export const ourReading = (cell: Cell): object => {
  const transaction = parseTransaction(cell)
  return {
    description: description(parseTransactionDescr(transaction.description)),
    totalFees: value(transaction.total_fees),
    inMessage: transaction.in_msg && message(transaction.in_msg),
    outMessages: Array.from(outMsgs(transaction), message),
  }
}

/** What @ton/core gives with addresses, cells and dictionaries as text and lists. */
const plain = (source: unknown, key = ''): unknown => {
  if (typeof source !== 'object' || source === null) return source
  if (key === 'src' || key === 'dest') {
    const given = source as Address | ExternalAddress
    if ('workChain' in given) return given.toRawString()
    const width = (given.bits + 7) & ~7
    return `${given.bits}:${given.value << BigInt(width - given.bits)}`
  }
  if ('hash' in source && key === 'body') return (source as { hash(): Buffer }).hash().toString('hex')
  if ('keys' in source && 'values' in source) {
    const dictionary = source as { keys(): number[]; values(): unknown[] }
    return dictionary.keys().map((id, i) => [id, dictionary.values()[i]])
  }
  return Object.fromEntries(Object.entries(source).map(([name, part]) => [name, plain(part, name)]))
}

/** What @ton/core makes of a transaction and its messages. */
export const tonCoreReading = (cell: Cell): object => {
  const { description: descr, totalFees, inMessage, outMessages } = loadTransaction(toTonCore(cell).beginParse())
  const read = (source: typeof inMessage): unknown => (source ? plain({ info: source.info, body: source.body }) : null)
  return {
    description: plain(descr),
    totalFees: plain(totalFees),
    inMessage: read(inMessage),
    outMessages: outMessages.values().map(read),
  }
}
