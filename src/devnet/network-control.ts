import { randomBytes } from 'node:crypto'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { type Address, rawAddress, tryParseAddress } from '../ton/address.ts'
import { shardHex } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import type { Cell } from '../ton/cell.ts'
import { parseMcStateExtra } from '../ton/tlb/mc-state-extra.ts'
import { shardEntries } from '../ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import { outMsgs, parseTransaction } from '../ton/tlb/transaction.ts'
import { loadAccounts } from './account-loading.ts'
import { hasParam, networkFault } from './config-change.ts'
import type { DevAccounts, DevControl, DevHead } from './control.ts'
import { readAccountsFile } from './genesis/accounts-file.ts'
import { COLLECTION } from './genesis/collection.ts'
import { configSeqno, paramMessage } from './genesis/config-message.ts'
import { FAUCET, faucetMessage } from './genesis/faucet.ts'
import { TUSD } from './genesis/tusd.ts'
import { DEV_WALLETS, MASTERCHAIN_WALLET } from './genesis/wallets.ts'
import { type MadeTransaction, transactionOf } from './made-transaction.ts'
import type { Network } from './network.ts'
import { masterchainState, sendingHead } from './opening.ts'
import type { MadeStep } from './producer.ts'
import { shardLayout } from './resplit.ts'

/** Seconds that our own messages may wait for a block. */
const LIFETIME = 120

/** What can be done to the network that runs now. */
export type NetworkControl = Omit<DevControl, 'snapshot' | 'restore' | 'status'> & {
  status(): Omit<Awaited<ReturnType<DevControl['status']>>, 'snapshots'>
}

/** The accounts that every network of ours begins with. */
export const DEV_ACCOUNTS: DevAccounts = {
  faucet: rawAddress(FAUCET.address),
  wallets: [...DEV_WALLETS, MASTERCHAIN_WALLET].map(({ version, address, mnemonic }) => ({
    version,
    address: rawAddress(address),
    mnemonic,
  })),
  contracts: [
    { name: 'jetton TUSD', address: rawAddress(TUSD.address) },
    { name: 'NFT collection', address: rawAddress(COLLECTION.address) },
  ],
}

/** The transaction of our message, if the step has it. Throws `invalid` where no block ever will. */
const takenBy = (message: Cell, step: MadeStep): MadeTransaction | undefined => {
  const hash = message.hash()
  for (const { refused } of [...step.shardBlocks, step.masterchainBlock])
    for (const one of refused)
      if (one.message.hash().equals(hash)) throw new TonlithError('invalid', `the contract refuses: ${one.reason}`)
  return transactionOf(hash, step)
}

/** What left the faucet in its transaction. Throws `invalid` where nothing did. */
const paymentOf = (transaction: Cell): Cell => {
  const [payment] = outMsgs(parseTransaction(transaction))
  if (!payment) throw new TonlithError('invalid', 'the faucet cannot pay that: it has less, or nobody can be there')
  return payment
}

const headOf = ({ masterchainBlock: { id, info } }: MadeStep): DevHead => ({ seqno: id.seqno, utime: info.gen_utime })

const destinationOf = (text: string): Address => {
  const address = tryParseAddress(text)
  if (!address) throw new TonlithError('invalid', `${text.slice(0, 80)} is no account address`)
  return address
}

const oneRoot = (boc: Uint8Array) => {
  try {
    return parseBocRoot(Buffer.from(boc))
  } catch (cause) {
    throw new TonlithError('invalid', 'the parameter is no bag of one cell', { cause })
  }
}

/** One line of what a node would answer to a message of ours, which holds a log of the TVM. */
export const refusedWith = (text: string): string => {
  const exit = /\bexitcode=(-?\d+)/.exec(text)?.[1]
  if (exit === undefined) return text.split('\n', 1)[0]!
  return `the contract refuses the message with exit code ${exit}: make a block (tonlith dev mine), then ask again`
}

/** Makes the control of a running network. */
export const networkControl = (network: Network, interval: number | 'manual'): NetworkControl => {
  const { chain, loop, clock, resplit, mempool, intake, executor } = network
  const send = async (message: Cell): Promise<void> => {
    try {
      await intake.send(cellToBoc(message))
    } catch (error) {
      if (isTonlithError(error, 'liteserver'))
        throw new TonlithError('invalid', refusedWith(error.message), { cause: error })
      throw error
    }
  }
  const newest = (): DevHead => ({
    seqno: chain.last,
    utime: parseShardStateUnsplit(masterchainState(chain)).gen_utime,
  })
  return {
    status: () => {
      const state = masterchainState(chain)
      const { gen_utime, custom } = parseShardStateUnsplit(state)
      const entries = custom ? [...shardEntries(parseMcStateExtra(custom).shard_hashes)] : []
      return {
        seqno: chain.last,
        utime: gen_utime,
        now: clock.now(),
        real_time: clock.real,
        block_interval: interval === 'manual' ? null : interval,
        shards: entries.map(({ workchain, shard, descr }) => ({
          workchain,
          shard: shardHex(shard),
          seqno: descr.seq_no,
        })),
        pending: mempool.messages,
        accounts: DEV_ACCOUNTS,
      }
    },
    faucet: async (text, amount) => {
      const payout = { destination: destinationOf(text), amount }
      const message = faucetMessage([payout], randomBytes(8).readBigUInt64BE(), clock.now() + LIFETIME)
      await send(message)
      let paid: Cell | undefined
      const { mc_seqno } = await loop.until((step) => {
        paid ??= takenBy(message, step)?.transaction
        return paid && transactionOf(paymentOf(paid).hash(), step)
      }, 'the payment has not arrived yet; it may still come')
      return {
        message_hash: message.hash().toString('hex'),
        transaction_hash: paid!.hash().toString('hex'),
        lt: parseTransaction(paid!).lt,
        mc_seqno,
      }
    },
    mine: async (blocks) => {
      let made = await loop.step()
      for (let i = 1; i < blocks; i++) made = await loop.step()
      return headOf(made)
    },
    setTime: async (to) => {
      if ('now' in to) clock.set(to.now)
      else clock.advance(to.advance)
      return { now: clock.now() }
    },
    resplit: async (what, text) => {
      const shard = BigInt.asIntN(64, BigInt(`0x${text}`))
      const wanted = resplit.want(what, shard, shardLayout(masterchainState(chain)))
      return loop.until(
        (step) => {
          const { shards } = shardLayout(step.masterchainBlock.state)
          return wanted.every((each) => shards.includes(each)) ? headOf(step) : undefined
        },
        `the shard has not been ${what === 'split' ? 'split' : 'merged'} yet; it may still come`,
      )
    },
    load: async ({ file }) => {
      const accounts = readAccountsFile(Buffer.from(file), clock.now())
      const { loaded, present } = await loadAccounts(network, accounts)
      return { ...newest(), accounts: loaded.length, present: present.map(rawAddress) }
    },
    arrive: async (address) => {
      await network.arrive(destinationOf(address))
      return newest()
    },
    setConfig: async (index, boc) => {
      const value = oneRoot(boc)
      const head = sendingHead(chain)
      if (hasParam(head, index, value)) return newest()
      const fault = await networkFault(executor, head, index, value)
      if (fault) throw new TonlithError('invalid', fault)
      const seqno = configSeqno(masterchainState(chain))
      const message = paramMessage({ index, value, seqno, valid_until: clock.now() + LIFETIME })
      await send(message)
      let taken = false
      return loop.until((step) => {
        taken ||= takenBy(message, step) !== undefined
        const { info, config_refused } = step.masterchainBlock
        if (taken && config_refused !== null) throw new TonlithError('invalid', config_refused)
        return taken && info.key_block ? headOf(step) : undefined
      }, 'no key block has the parameter: the config contract refuses what would break the network')
    },
  }
}
