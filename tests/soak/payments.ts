import { Address, Cell, internal } from '@ton/core'
import type { TonClient } from '@ton/ton'
import { type LiveWallet, sendFrom } from '../support/live-wallet.ts'
import type { Caller } from './caller.ts'
import { type Flow, startFlow } from './load.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import type { Served } from './served.ts'

/** A merchant that asks for transfers all the time, each of which is paid. */
export interface Shop {
  flow: Flow
  receiver: Receiver
  /** References of the transfers that were paid. */
  paid: readonly string[]
  /** What is wrong with what it was told. */
  check(): string[]
  /** Paid transfers of which nothing was heard yet. */
  waiting(): string[]
  apiKey: string
}

export interface ShopOptions {
  name: string
  served: Served
  caller: Caller
  /** Of the network itself: payers do not depend on the gateway. */
  client: TonClient
  payer: LiveWallet
  recipient: LiveWallet
  /** A jetton that every other transfer is in. */
  jetton: string
  flaky: boolean
  pauseMs: number
  broken: (error: unknown) => void
}

interface Created {
  message: { address: string; amount: string; payload: string }
  reference: string
}

interface Told {
  event: string
  data: { reference: string; status: string; txHash?: string }
}

const CREATE = '/api/merchant/v1/create-transfer'

/** Makes the merchant on the command line; the program need not run. */
const addMerchant = async (
  { name, served, recipient }: ShopOptions,
  receiver: Receiver,
): Promise<{ apiKey: string; secret: string }> => {
  const own = ['--network', 'testnet', '--wallet', recipient.address.toString(), '--webhook', receiver.url]
  const { stdout, stderr } = await served.verb(['merchants', 'add', name, ...own])
  const apiKey = /^api key (\S+)$/m.exec(stdout)?.[1]
  const secret = /^webhook secret (\S+)$/m.exec(stdout)?.[1]
  if (!apiKey || !secret) throw new Error(`no merchant was made: ${stderr}`)
  return { apiKey, secret }
}

/** Makes a merchant and what starts its payments. */
export const createShop = async (options: ShopOptions): Promise<{ open(): Shop; receiver: Receiver }> => {
  const { caller, client, payer, jetton, flaky, pauseMs, broken } = options
  const receiver = startReceiver(flaky)
  const { apiKey, secret } = await addMerchant(options, receiver)
  receiver.secret = secret
  const paid: string[] = []
  let turn = 0

  const step = async (): Promise<void> => {
    const asset = turn++ % 2 === 0 ? 'TON' : jetton
    const senderAddr = payer.address.toString({ bounceable: false })
    const body = { amount: '0.01', asset, senderAddr, commentToRecipient: `order ${turn}` }
    const answer = await caller.ask('create-transfer', CREATE, { body, headers: { 'x-api-key': apiKey } })
    if (!answer) return
    const { message, reference } = answer.body as Created
    const { address, isBounceable } = Address.parseFriendly(message.address)
    const payment = {
      to: address,
      value: BigInt(message.amount),
      bounce: isBounceable,
      body: Cell.fromBase64(message.payload),
    }
    await sendFrom(client, payer, internal(payment))
    paid.push(reference)
  }

  /** Events by the reference that they are about. */
  const told = (): Map<string, string[]> => {
    const found = new Map<string, string[]>()
    for (const { bodies } of receiver.events.values()) {
      const { data } = JSON.parse(bodies[0]!) as Told
      found.set(data.reference, [...(found.get(data.reference) ?? []), data.status])
    }
    return found
  }

  const check = (): string[] => {
    const faults: string[] = []
    const events = told()
    for (const reference of paid) {
      const statuses = events.get(reference) ?? []
      if (!Bun.deepEquals(statuses, ['success'])) faults.push(`payment ${reference} was told as [${statuses}]`)
    }
    for (const reference of events.keys())
      if (!paid.includes(reference)) faults.push(`an event is about ${reference}, which was never paid`)
    for (const [id, { bodies }] of receiver.events)
      if (bodies.length > 1) faults.push(`event ${id} came with ${bodies.length} different bodies`)
    if (receiver.forged > 0) faults.push(`${receiver.forged} webhooks had a wrong signature`)
    return faults
  }

  return {
    receiver,
    open: () => ({
      flow: startFlow(step, pauseMs, broken),
      receiver,
      paid,
      check,
      waiting: () => {
        const events = told()
        return paid.filter((reference) => !events.has(reference))
      },
      apiKey,
    }),
  }
}
