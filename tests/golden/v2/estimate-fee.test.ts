import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { type Fees, transactionFees } from '../../../src/model/fees.ts'
import { rawAddress, tryParseAddress } from '../../../src/ton/address.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { storageFee } from '../../../src/ton/storage-fee.ts'
import { parseAccount } from '../../../src/ton/tlb/account.ts'
import { configParam } from '../../../src/ton/tlb/config-params.ts'
import { parseMessage } from '../../../src/ton/tlb/message.ts'
import { parseShardStateUnsplit, shardAccount } from '../../../src/ton/tlb/shard-state.ts'
import { parseStateInit } from '../../../src/ton/tlb/state-init.ts'
import { parseStoragePrices } from '../../../src/ton/tlb/storage-prices.ts'
import { type ArchiveGateway, startArchiveGateway } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import {
  lacksCurrency,
  type RecordedExternal,
  recordedConfig,
  recordedExternals,
} from '../../support/recorded-externals.ts'

/**
 * Estimates compared with toncenter's own on this chain, and with what the network then took for the very same messages.
 */

interface Answer {
  ok: boolean
  result?: { source_fees: Record<keyof Fees, number> }
}

const ask = async (gateway: ArchiveGateway, body: object): Promise<{ status: number; answer: Answer }> => {
  const request = new Request('http://localhost/ton/api/v2/estimateFee', { method: 'POST', body: JSON.stringify(body) })
  const response = await gateway.fetch(request)
  return { status: response.status, answer: (await response.json()) as Answer }
}

interface Recorded {
  body: { address?: string; body?: string; init_code?: string }
  status: number
  response: Answer
}

const recorded = Bun.zstdDecompressSync(
  readFileSync(new URL('../../fixtures/chain/estimate-fee.jsonl.zst', import.meta.url)),
)
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

const HEAD = 360
/** When toncenter was asked: the one second at which its two storage fees are right. The network had gone on until then. */
const ASKED_AT = 1_795_823_442
/** A bag that is none is the caller's mistake; toncenter calls it a failure of its own. */
const JUNK = 'AAAA'
/** Where nothing is deployed: toncenter runs the empty code there and takes the flat price of gas for it. */
const UNUSED = '0:00000000000000000000000000000000000000000000000000000000000000aa'

/** An account's storage fee at a later time than that of the head, as nothing else happens. */
const laterStorageFee = (address: string, now: number): bigint => {
  const { hash } = tryParseAddress(address)!
  for (const [, blocks] of recordedChain().shards(0)) {
    const { accounts } = parseShardStateUnsplit(blocks.at(-1)!.state)
    const entry = blocks.at(-1)!.mc_seqno === HEAD ? shardAccount(accounts, hash) : null
    const account = entry && parseAccount(entry.account)
    const prices = parseStoragePrices(configParam(recordedConfig(HEAD), 18)!)
    if (account?._ === 'account') return storageFee(prices, { ...account.storage_stat, now, masterchain: false })
  }
  return 0n
}

describe('an estimate of toncenter', () => {
  let gateway: ArchiveGateway
  beforeAll(async () => {
    gateway = await startArchiveGateway()
  })
  afterAll(() => gateway.stop())

  for (const [index, { body, status, response }] of recorded.entries()) {
    const theirs = response.result?.source_fees
    test(`${index} is ours${body.address === UNUSED || body.body === JUNK ? ', but for what it takes wrong' : ''}`, async () => {
      const { status: ourStatus, answer } = await ask(gateway, body)
      const ours = answer.result?.source_fees
      if (body.body === JUNK) return void expect([status, ourStatus]).toEqual([500, 422])
      if (body.address === UNUSED && !body.init_code) return void expect([status, ourStatus]).toEqual([200, 422])
      expect(ourStatus).toBe(status)
      if (!theirs) return
      expect({ ...ours, storage_fee: Number(laterStorageFee(body.address!, ASKED_AT)) }).toEqual({
        ...theirs,
        ...(body.address === UNUSED && { gas_fee: 0 }),
      })
    })
  }
})

const base64 = (cell: Cell | null | undefined): string => (cell ? cellToBoc(cell).toString('base64') : '')

/** The question that the sender would have asked before it sent the message. */
const questionOf = ({ address, message }: RecordedExternal): object => {
  const { body, init } = parseMessage(message)
  const { code, data } = init ? parseStateInit(init) : {}
  return { address: rawAddress(address), body: base64(body), init_code: base64(code), init_data: base64(data) }
}

/** Storage up to the time of the state, which is a little before that of the transaction. */
const storageAt = ({ address, entry, before }: RecordedExternal, seqno: number): bigint => {
  const account = parseAccount(entry.account)
  if (account._ === 'account_none') return 0n
  const prices = parseStoragePrices(configParam(recordedConfig(seqno), 18)!)
  const { gen_utime } = before.info
  return storageFee(prices, { ...account.storage_stat, now: gen_utime, masterchain: address.workchain === -1 })
}

/** Those whose state before was the newest one when the masterchain stood at the block before theirs. */
const estimable = (): RecordedExternal[] =>
  [...recordedExternals()].filter((each) => each.before.mc_seqno < each.block.mc_seqno && !lacksCurrency(each))

/** Up to four of each account's messages. */
const sampled = (all: readonly RecordedExternal[]): RecordedExternal[] =>
  [...Map.groupBy(all, ({ address }) => rawAddress(address)).values()]
    .flatMap((each) => [...new Set([0, 1 / 3, 2 / 3, 1].map((part) => each[Math.floor(part * (each.length - 1))]!))])
    .sort((a, b) => a.block.mc_seqno - b.block.mc_seqno)

describe('an estimate before a message was sent', () => {
  let gateway: ArchiveGateway
  beforeAll(async () => {
    gateway = await startArchiveGateway({ head: 1 })
  })
  afterAll(() => gateway.stop())

  const moveTo = async (seqno: number): Promise<void> => {
    gateway.setHead(seqno)
    await gateway.chain.pool.waitForHead(seqno)
  }

  test('is what the network took', async () => {
    let count = 0
    let deployments = 0
    for (const each of sampled(estimable())) {
      const seqno = each.block.mc_seqno - 1
      await moveTo(seqno)
      const { status, answer } = await ask(gateway, questionOf(each))
      const { storage_fee: _, ...taken } = transactionFees(each.transaction)
      const expected = { ...taken, storage_fee: storageAt(each, seqno) }
      expect(status).toBe(200)
      const numbers = Object.entries(expected).map(([name, value]) => [name, Number(value)])
      expect(answer.result!.source_fees).toEqual({ '@type': 'fees', ...Object.fromEntries(numbers) })
      count++
      if (parseMessage(each.message).init) deployments++
    }
    expect(count).toBeGreaterThan(100)
    expect(deployments).toBeGreaterThan(20)
  }, 120_000)
})
