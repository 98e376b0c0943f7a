import { TonlithError } from '../../common/errors.ts'
import type { Builder } from '../../ton/builder.ts'
import type { Augmentation } from '../../ton/dictionary-node.ts'
import { type AugDictChange, updateAugDict } from '../../ton/dictionary-update.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import { addCurrencies, type CurrencyCollection, currencyAug, NO_CURRENCY } from '../../ton/tlb/currency.ts'
import { type ImportFees, type InMsg, importFeesAug, storeInMsg } from '../../ton/tlb/in-msg.ts'
import type { IntMsgInfo } from '../../ton/tlb/message.ts'
import { type OutMsg, storeOutMsg } from '../../ton/tlb/out-msg.ts'

/** What a message carries: its value, and what is left of its forward fee. */
export const carried = ({ value }: Pick<IntMsgInfo, 'value'>, fwd_fee_remaining: bigint): CurrencyCollection =>
  addCurrencies(value, { grams: fwd_fee_remaining, other: null })

/** Augmentation of an InMsg: fees that its block earns, and value that it brings into the shard. */
export const importFees = (fees_collected: bigint, value_imported: CurrencyCollection = NO_CURRENCY): ImportFees => ({
  fees_collected,
  value_imported,
})

/** A message descriptor that grows: TL-B InMsgDescr or OutMsgDescr, by message hash. */
export interface Descriptor<T, Y> {
  readonly size: number
  /** Throws `internal` when the message has an entry. */
  add(hash: Buffer, message: T, extra: Y): void
  /** The descriptor with all entries so far. */
  build(): AugDict<Y>
}

const MESSAGE_HASH_BITS = 256

const descriptor = <T, Y>(store: (builder: Builder, message: T) => unknown, aug: Augmentation<Y>): Descriptor<T, Y> => {
  const known = new Set<string>()
  let added: AugDictChange<Y>[] = []
  let built: AugDict<Y> = { root: null, extra: aug.empty }
  return {
    get size() {
      return known.size
    },
    add: (key, message, extra) => {
      const name = key.toString('latin1')
      if (known.has(name)) throw new TonlithError('internal', 'a message has two entries in one descriptor')
      known.add(name)
      added.push({ key, extra, store: (builder) => store(builder, message) })
    },
    build: () => {
      built = updateAugDict(built, added, MESSAGE_HASH_BITS, aug)
      added = []
      return built
    },
  }
}

export type InMsgDescr = Descriptor<InMsg, ImportFees>
export type OutMsgDescr = Descriptor<OutMsg, CurrencyCollection>

export const inMsgDescr = (): InMsgDescr => descriptor(storeInMsg, importFeesAug)

export const outMsgDescr = (): OutMsgDescr => descriptor(storeOutMsg, currencyAug)
