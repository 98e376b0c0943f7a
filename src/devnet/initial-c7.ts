import { randomBytes } from 'node:crypto'
import type { Address } from '../ton/address.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { dictEntries, dictLookup } from '../ton/dictionary.ts'
import { type PrevBlocks, prevBlocksTuple } from '../ton/prev-blocks.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { STACK_NULL, type StackValue, stackInt, stackSlice, stackTuple } from '../ton/stack.ts'
import { configParam } from '../ton/tlb/config-params.ts'
import type { CurrencyCollection } from '../ton/tlb/currency.ts'

/** What a contract sees of itself and its block. */
export interface ContractView {
  address: Address
  balance: CurrencyCollection
  /** Unix time in seconds and logical time of the block. */
  now: number
  lt: bigint
}

/** What it sees of the network, from global version 4 on. */
export interface NetworkView {
  config: Cell
  globalVersion: number
  code: Cell
  prevBlocks: PrevBlocks
  due_payment: bigint
}

const MAGIC = 0x076ef1ea
const SEED_BYTES = 32
const STORAGE_PRICES = 18
/** Global id, gas prices of masterchain and basechain, forward prices of both, size limits. */
const OTHER_PARAMS = [19, 20, 21, 24, 25, 43]
const PRECOMPILED = 45
const PRECOMPILED_TAG_BITS = 8

const addressSlice = ({ workchain, hash }: Address): StackValue =>
  stackSlice(beginCell().uint(0b100, 3).int(workchain, 8).bytes(hash).endCell())

const cellOrNull = (cell: Cell | null): StackValue => (cell ? { _: 'vm_stk_cell', cell } : STACK_NULL)

const currency = ({ grams, other }: CurrencyCollection): StackValue => stackTuple([stackInt(grams), cellOrNull(other)])

const restOf = (slice: Slice): StackValue => ({
  _: 'vm_stk_slice',
  cell: slice.cell,
  st_bits: slice.position,
  end_bits: slice.position + slice.remainingBits,
  st_ref: slice.cell.refCount - slice.remainingRefs,
  end_ref: slice.cell.refCount,
})

/** The storage prices in force: those with the latest `utime_since` that is not in the future. */
const storagePrices = (config: Cell, now: number): StackValue => {
  const prices = configParam(config, STORAGE_PRICES)
  let inForce: StackValue = STACK_NULL
  for (const [, value] of prices ? dictEntries(beginParse(prices), 32) : []) {
    const since = value.clone().skip(8).uint(32)
    if (since <= now) inForce = restOf(value)
  }
  return inForce
}

const unpackedConfig = (config: Cell, now: number): StackValue =>
  stackTuple([
    storagePrices(config, now),
    ...OTHER_PARAMS.map((index) => {
      const value = configParam(config, index)
      return value ? stackSlice(value) : STACK_NULL
    }),
  ])

/** Gas of a precompiled contract (TL-B PrecompiledSmc), or null. */
const precompiledGas = (config: Cell, code: Cell): StackValue => {
  const list = configParam(config, PRECOMPILED)
  const entry = list && dictLookup(beginParse(list).skip(PRECOMPILED_TAG_BITS).maybeRef(), 256, code.hash())
  return entry ? stackInt(entry.skip(PRECOMPILED_TAG_BITS).uintBig(64)) : STACK_NULL
}

/** Bounce flags, sender, forward fee, lt, time, value as sent and as received, currencies, StateInit of a message that is none. */
const noMessage = (): StackValue => {
  const zero = stackInt(0)
  const nobody = stackSlice(beginCell().uint(0, 2).endCell())
  return stackTuple([zero, zero, nobody, zero, zero, zero, zero, zero, STACK_NULL, STACK_NULL])
}

const networkFields = ({ config, globalVersion, code, prevBlocks, due_payment }: NetworkView, now: number) => {
  const fields: StackValue[] = [{ _: 'vm_stk_cell', cell: config }]
  if (globalVersion >= 4) {
    const noValue = stackTuple([stackInt(0), STACK_NULL])
    fields.push(cellOrNull(code), noValue, stackInt(0), prevBlocksTuple(prevBlocks, globalVersion))
  }
  if (globalVersion >= 6) fields.push(unpackedConfig(config, now), stackInt(due_payment), precompiledGas(config, code))
  if (globalVersion >= 11) fields.push(noMessage())
  return fields
}

/**
 * The register c7 with which a liteserver starts a get-method: a tuple around SmartContractInfo (node: prepare_vm_c7).
 * The seed in it is random. Without a view of the network the configuration is null and nothing follows it.
 */
export const initialC7 = ({ address, balance, now, lt }: ContractView, network: NetworkView | undefined): StackValue =>
  stackTuple([
    stackTuple([
      stackInt(MAGIC),
      stackInt(0),
      stackInt(0),
      stackInt(now),
      stackInt(lt),
      stackInt(lt),
      stackInt(BigInt(`0x${randomBytes(SEED_BYTES).toString('hex')}`)),
      currency(balance),
      addressSlice(address),
      ...(network ? networkFields(network, now) : [STACK_NULL]),
    ]),
  ])
