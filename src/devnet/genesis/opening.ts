import type { Address } from '../../ton/address.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { COLLECTION, itemAddress, mintItemBody, transferItemBody } from './collection.ts'
import { commentBody } from './token-content.ts'
import { mintBody, TUSD, transferBody, tusdWallet } from './tusd.ts'
import { mnemonicSeed, type OutgoingMessage, walletMessage } from './wallet-message.ts'
import { DEV_WALLETS } from './wallets.ts'

/** One external message of the first wallet, in the order of its seqno. */
export interface OpeningStep {
  /** What it does, in a few words. */
  what: string
  /** The wallet's seqno at which its time has come: 0 for the first step, then 1 and so on. */
  seqno: number
  /** Accounts that must be active before. */
  needs: readonly Address[]
  /** @param valid_until unix seconds */
  message(valid_until: number): Cell
}

type Plan = Omit<OpeningStep, 'seqno' | 'message'> & { messages: readonly OutgoingMessage[] }

const MILLITON = 1_000_000n
/** Enough for the receiver to take notice. */
const FORWARD = 10n * MILLITON
const TUSD_UNIT = 1_000_000n
const NO_BODY = beginCell().endCell()

/** The wallet that everything comes from. */
export const OPENING_WALLET = DEV_WALLETS[0]!

const FROM = OPENING_WALLET.address
const SECOND = DEV_WALLETS[1]!.address
const SIXTH = DEV_WALLETS[5]!.address

const sent = (dest: Address, millitons: bigint, body: Cell): OutgoingMessage => ({
  dest,
  value: millitons * MILLITON,
  bounce: true,
  body,
})

const PLANS: readonly Plan[] = [
  {
    what: 'deploy TUSD',
    needs: [],
    messages: [{ ...sent(TUSD.address, 100n, NO_BODY), init: TUSD.init }],
  },
  {
    what: 'mint 1,000,000 TUSD to each wallet',
    needs: [TUSD.address],
    messages: DEV_WALLETS.map(({ address }) =>
      sent(TUSD.address, 100n, mintBody(address, 1_000_000n * TUSD_UNIT, 50n * MILLITON)),
    ),
  },
  {
    what: 'deploy the collection',
    needs: [],
    messages: [{ ...sent(COLLECTION.address, 100n, NO_BODY), init: COLLECTION.init }],
  },
  {
    what: 'mint an item to each of the first five wallets',
    needs: [COLLECTION.address],
    messages: DEV_WALLETS.slice(0, 5).map(({ address }, index) =>
      sent(COLLECTION.address, 100n, mintItemBody(BigInt(index), address, 50n * MILLITON)),
    ),
  },
  {
    what: 'send TON with a comment',
    needs: [],
    messages: [sent(SECOND, 1_500n, commentBody('Hello from the dev network'))],
  },
  {
    what: 'send TUSD',
    needs: [tusdWallet(FROM), tusdWallet(SECOND)],
    messages: [
      sent(
        tusdWallet(FROM),
        100n,
        transferBody(FROM, SECOND, { amount: 250n * TUSD_UNIT, forward: FORWARD, comment: 'Hello in TUSD' }),
      ),
    ],
  },
  {
    what: 'give an item away',
    needs: [itemAddress(0n)],
    messages: [sent(itemAddress(0n), 100n, transferItemBody(FROM, SIXTH, FORWARD))],
  },
]

/**
 * What the first wallet of a new network does in its first blocks, so that there is something to see at once: the jetton, the
 * collection, and transfers of each kind. A step waits until the wallet's seqno is its own and all that it needs is there.
 * The wallet's key is made from its words, which takes a tenth of a second.
 */
export const openingSteps = (): OpeningStep[] => {
  const seed = mnemonicSeed(OPENING_WALLET.mnemonic)
  return PLANS.map(({ what, needs, messages }, seqno) => ({
    what,
    needs,
    seqno,
    message: (valid_until) => walletMessage(OPENING_WALLET, seed, messages, { seqno, valid_until }),
  }))
}
