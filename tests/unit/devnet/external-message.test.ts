import { beforeAll, describe, expect, test } from 'bun:test'
import {
  type AcceptanceCheck,
  accountAtHead,
  checkAcceptance,
  isEarly,
  type SendingHead,
} from '../../../src/devnet/external-message.ts'
import { readSentMessage } from '../../../src/devnet/sent-message.ts'
import { walletLayout, walletSeqno, withWalletSeqno } from '../../../src/devnet/wallet-layout.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { makeCell } from '../../../src/ton/data-cell.ts'
import { externalMessage } from '../../../src/ton/external-message.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { parseAccount } from '../../../src/ton/tlb/account.ts'
import { parseMessage } from '../../../src/ton/tlb/message.ts'
import { parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import { createExecutor, type Executor } from '../../../src/tvm/executor.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type RecordedExternal, recordedConfig, recordedExternals } from '../../support/recorded-externals.ts'

let executor: Executor
beforeAll(async () => {
  executor = await createExecutor()
})

const headAt = (seqno: number): SendingHead => {
  const chain = recordedChain()
  const { id, state } = chain.masterchain(seqno)!
  return { id, state, shardState: (of) => chain.block(of)!.state }
}

const stateOf = ({ entry }: RecordedExternal) => {
  const account = parseAccount(entry.account)
  return account._ === 'account' && account.storage.state._ === 'account_active' ? account.storage.state : undefined
}

const sentOf = (cell: Cell) => readSentMessage(cellToBoc(cell), recordedConfig(1))

/** The masterchain block that was the newest one when the message came: the one with the state that it was run on. */
const headBefore = ({ before }: RecordedExternal): SendingHead => headAt(before.mc_seqno)

const checkOf = (recorded: RecordedExternal, more: Partial<AcceptanceCheck> = {}): AcceptanceCheck => {
  const head = headBefore(recorded)
  return { head, executor, now: parseShardStateUnsplit(head.state).gen_utime, isWaiting: () => false, ...more }
}

/** The last message of each code that sent any, where its block's predecessor was committed. */
const sampled = (): RecordedExternal[] => {
  const byCode = new Map<string, RecordedExternal>()
  for (const recorded of recordedExternals()) {
    const code = stateOf(recorded)?.code
    if (code && recorded.block.mc_seqno === recorded.before.mc_seqno + 1)
      byCode.set(code.hash().toString('hex'), recorded)
  }
  return [...byCode.values()]
}

describe('messages that real nodes took', () => {
  const all = sampled()
  const wallets = all.filter((recorded) => walletLayout(stateOf(recorded)!.code!))

  test('are of many contracts, wallets of many versions among them', () => {
    expect(all.length).toBeGreaterThan(12)
    expect(wallets.length).toBeGreaterThan(6)
  })

  test('are accepted', () => {
    for (const recorded of all) {
      const turn = checkAcceptance(sentOf(recorded.message), checkOf(recorded))
      expect(turn !== undefined).toBe(wallets.includes(recorded))
    }
  })

  test('carry the seqno of their wallet', () => {
    for (const recorded of wallets) {
      const { code, data } = stateOf(recorded)!
      const layout = walletLayout(code!)!
      const seqno = walletSeqno(layout, data!)!
      expect(layout.turn(beginParse(parseMessage(recorded.message).body)).seqno).toBe(seqno)
      const changed = withWalletSeqno(layout, data!, seqno + 3)
      expect(walletSeqno(layout, changed)).toBe(seqno + 3)
      expect(withWalletSeqno(layout, changed, seqno).hash()).toEqual(data!.hash())
    }
  })

  /** Of a wallet that is still there when its message has been taken, and that reads how long a message is valid. */
  const lasting = wallets.find(
    (each) =>
      accountAtHead(headAt(each.block.mc_seqno), each.address) && walletLayout(stateOf(each)!.code!)!.bodyBits === 608,
  )!

  test('are refused at another time, in the words of a node', () => {
    const recorded = lasting
    const sent = sentOf(recorded.message)
    const { seqno, valid_until } = checkAcceptance(sent, checkOf(recorded))!
    const refused = (more: Partial<AcceptanceCheck>) => () => checkAcceptance(sent, checkOf(recorded, more))
    expect(refused({ now: valid_until })).toThrow('valid_until is in the past')
    expect(refused({ isWaiting: (each) => each === seqno })).toThrow(`Duplicate msg_seqno ${seqno}`)
    const later = { head: headAt(recorded.block.mc_seqno) }
    expect(refused(later)).toThrow(`Too old seqno: msg_seqno=${seqno}, wallet_seqno=${seqno + 1}`)
    expect(isEarly(headBefore(recorded), { dest: sent.dest, turn: { seqno, valid_until } })).toBe(false)
    expect(isEarly(headBefore(recorded), { dest: sent.dest, turn: { seqno: seqno + 1, valid_until } })).toBe(true)
  })

  test('are refused when they are too far ahead, or are no message of the wallet', () => {
    const recorded = lasting
    const { code, data } = stateOf(recorded)!
    const seqno = walletSeqno(walletLayout(code!)!, data!)!
    const with_ = (body: Cell) => externalMessage({ dest: recorded.address, body, init: undefined })
    const body = (n: number) =>
      beginCell().bytes(Buffer.alloc(64)).uint(0, 32).uint(0xffffffff, 32).uint(n, 32).endCell()
    const refused = (cell: Cell) => () => checkAcceptance(sentOf(cell), checkOf(recorded))
    const ahead = seqno + 17
    expect(refused(with_(body(ahead)))).toThrow(`Too new seqno: msg_seqno=${ahead}, wallet_seqno=${seqno}`)
    expect(refused(with_(body(seqno + 16)))).toThrow('External message was not accepted')
    expect(refused(with_(beginCell().endCell()))).toThrow('invalid message body')
  })
})

describe('a message is read as by a node', () => {
  const dest = { workchain: 0, hash: Buffer.alloc(32, 1) }
  const read = (cell: Cell) => () => sentOf(cell)

  test('and refused when it is none', () => {
    const library = makeCell(new Uint8Array([2, ...Buffer.alloc(32)]), 264, [], true)
    expect(read(library)).toThrow('external message must begin with ext_in_msg_info$10')
    expect(read(beginCell().uint(0b10, 2).endCell())).toThrow('is not a (Message Any) according to automated checks')
    const nowhere = beginCell()
      .uint(0b10, 2)
      .uint(0, 2)
      .uint(0b110, 3)
      .uint(3, 9)
      .int(0, 32)
      .uint(1, 3)
      .coins(0n)
      .uint(0, 2)
    expect(read(nowhere.endCell())).toThrow("Can't parse destination address")
  })

  test('up to its depth', () => {
    const deep = (n: number): Cell =>
      n === 0
        ? beginCell().endCell()
        : beginCell()
            .ref(deep(n - 1))
            .endCell()
    const message = (n: number) => externalMessage({ dest, body: deep(n), init: undefined })
    expect(read(message(511))().dest).toEqual(dest)
    expect(read(message(512))).toThrow('external message is too deep')
  })
})
