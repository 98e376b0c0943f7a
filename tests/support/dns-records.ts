import { createHash } from 'node:crypto'
import { beginCell, Dictionary, Address as TonCoreAddress, type Cell as TonCoreCell } from '@ton/core'
import type { Address } from '../../src/ton/address.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { fromTonCore, toTonCore } from './ton-core.ts'

/** DNS records, written with @ton/core. */

const addressOf = ({ workchain, hash }: Address): TonCoreAddress => new TonCoreAddress(workchain, hash)
const record = (tag: number, fill: (cell: ReturnType<typeof beginCell>) => unknown): Cell => {
  const builder = beginCell().storeUint(tag, 16)
  fill(builder)
  return fromTonCore(builder.endCell())
}

export const smcAddress = (address: Address): Cell =>
  record(0x9fd3, (cell) => cell.storeAddress(addressOf(address)).storeUint(0, 8))
export const nextResolver = (address: Address): Cell => record(0xba93, (cell) => cell.storeAddress(addressOf(address)))
export const adnlAddress = (address: Buffer): Cell =>
  record(0xad01, (cell) => cell.storeBuffer(address).storeUint(0, 8))
export const storageAddress = (bagId: Buffer): Cell => record(0x7473, (cell) => cell.storeBuffer(bagId))

const chunkTail = (chunks: readonly Buffer[], from: number): TonCoreCell => {
  const builder = beginCell().storeUint(chunks[from]!.length, 8).storeBuffer(chunks[from]!)
  return (from + 1 < chunks.length ? builder.storeRef(chunkTail(chunks, from + 1)) : builder).endCell()
}
/** A text in chunks of so many bytes. */
export const textRecord = (text: string | Buffer, perChunk = 40): Cell =>
  record(0x1eda, (cell) => {
    const bytes = Buffer.from(text as string)
    const chunks = Array.from({ length: Math.ceil(bytes.length / perChunk) }, (_, i) =>
      bytes.subarray(i * perChunk, (i + 1) * perChunk),
    )
    cell.storeUint(chunks.length, 8)
    if (chunks.length > 0) cell.storeSlice(chunkTail(chunks, 0).beginParse())
  })

/** Root of a DNS_RecordSet; a category is the hash of its name. There must be one record at least. */
export const dnsRecords = (records: Readonly<Record<string, Cell>>): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [name, cell] of Object.entries(records))
    dict.set(createHash('sha256').update(name).digest(), toTonCore(cell))
  const root = beginCell()
  dict.storeDirect(root)
  return fromTonCore(root.endCell())
}
