import { expect, test } from 'bun:test'
import {
  beginCell as beginTonCell,
  internal,
  SendMode,
  storeMessageRelaxed,
  Address as TonAddress,
  type Cell as TonCell,
} from '@ton/core'
import * as ton from '@ton/ton'
import { readWalletInfo } from '../../../src/contracts/wallet-info.ts'
import { walletRequest } from '../../../src/contracts/wallet-request.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { fromTonCore } from '../../support/ton-core.ts'

const publicKey = Buffer.alloc(32, 7)
const secretKey = Buffer.alloc(64, 9)
const VALID_UNTIL = 1_800_000_000
const SEQNO = 42
const MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS
const SIGNATURE_BITS = 512

const messagesOf = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    internal({
      to: new TonAddress(0, Buffer.alloc(32, 3)),
      value: BigInt(i + 1) * 1_000_000_000n,
      bounce: i % 2 === 0,
      body: 'for you',
    }),
  )

/** What is signed. */
const unsigned = (body: Cell, isSignedAtEnd: boolean): string => {
  const slice = beginParse(body)
  if (!isSignedAtEnd) slice.skip(SIGNATURE_BITS)
  const rest = beginCell().bits(slice.bits(slice.remainingBits - (isSignedAtEnd ? SIGNATURE_BITS : 0)))
  while (slice.remainingRefs > 0) rest.ref(slice.ref())
  return rest.endCell().hash().toString('hex')
}

interface SdkWallet {
  init: { code: TonCell; data: TonCell }
  ask(messages: ReturnType<typeof messagesOf>): TonCell
}

const v1 = (wallet: ton.WalletContractV1R1 | ton.WalletContractV1R2 | ton.WalletContractV1R3): SdkWallet => ({
  init: wallet.init,
  ask: ([message]) => wallet.createTransfer({ seqno: SEQNO, secretKey, sendMode: MODE, message: message! }),
})
const v2 = (wallet: ton.WalletContractV2R1 | ton.WalletContractV2R2): SdkWallet => ({
  init: wallet.init,
  ask: (messages) => wallet.createTransfer({ seqno: SEQNO, secretKey, sendMode: MODE, timeout: VALID_UNTIL, messages }),
})
const byId = (wallet: ton.WalletContractV3R1 | ton.WalletContractV3R2 | ton.WalletContractV4): SdkWallet => ({
  init: wallet.init,
  ask: (messages) => wallet.createTransfer({ seqno: SEQNO, secretKey, sendMode: MODE, timeout: VALID_UNTIL, messages }),
})
const v5 = (wallet: ton.WalletContractV5Beta | ton.WalletContractV5R1): SdkWallet => ({
  init: wallet.init,
  ask: (messages) => {
    const order = { seqno: SEQNO, secretKey, sendMode: MODE, timeout: VALID_UNTIL, messages }
    return wallet instanceof ton.WalletContractV5R1 ? wallet.createTransfer(order) : wallet.createTransfer(order)
  },
})

const at = { workchain: 0, publicKey }
const CASES: readonly [name: string, wallet: SdkWallet, most: number, isSignedAtEnd: boolean][] = [
  ['wallet v1 r1', v1(ton.WalletContractV1R1.create(at)), 1, false],
  ['wallet v1 r2', v1(ton.WalletContractV1R2.create(at)), 1, false],
  ['wallet v1 r3', v1(ton.WalletContractV1R3.create(at)), 1, false],
  ['wallet v2 r1', v2(ton.WalletContractV2R1.create(at)), 4, false],
  ['wallet v2 r2', v2(ton.WalletContractV2R2.create(at)), 4, false],
  ['wallet v3 r1', byId(ton.WalletContractV3R1.create(at)), 4, false],
  ['wallet v3 r2', byId(ton.WalletContractV3R2.create(at)), 4, false],
  ['wallet v4 r2', byId(ton.WalletContractV4.create(at)), 4, false],
  ['wallet v5 beta', v5(ton.WalletContractV5Beta.create(at)), 255, true],
  ['wallet v5 r1', v5(ton.WalletContractV5R1.create(at)), 255, true],
]

test.each(CASES)('a %s is asked as its SDK asks it', (name, sdk, most, isSignedAtEnd) => {
  const wallet = { ...readWalletInfo(fromTonCore(sdk.init.code), fromTonCore(sdk.init.data))!, seqno: SEQNO }
  expect(wallet.wallet_type).toBe(name)
  for (const count of most === 1 ? [1] : [1, 4, most]) {
    const messages = messagesOf(count)
    const order = messages.map((message) => ({
      mode: MODE,
      message: fromTonCore(beginTonCell().store(storeMessageRelaxed(message)).endCell()),
    }))
    const body = walletRequest({ wallet, messages: order, valid_until: VALID_UNTIL })
    expect(unsigned(body, isSignedAtEnd)).toBe(unsigned(fromTonCore(sdk.ask(messages)), isSignedAtEnd))
  }
})

test.each(CASES)('a %s is not asked for more than it takes', (wallet_type, _, most) => {
  const message = { mode: MODE, message: beginCell().endCell() }
  const order = { wallet: { wallet_type, seqno: 1, wallet_id: 1n }, valid_until: VALID_UNTIL }
  const ask = () => walletRequest({ ...order, messages: Array.from({ length: most + 1 }, () => message) })
  expect(ask).toThrow(`a ${wallet_type} takes at most ${most} messages at once`)
})
