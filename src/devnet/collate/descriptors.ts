import { TonlithError } from '../../common/errors.ts'
import type { AugDictChange } from '../../ton/dictionary-update.ts'
import { buildAugDict } from '../../ton/dictionary-writer.ts'
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
  build(): AugDict<Y>
}

const MESSAGE_HASH_BITS = 256

const descriptor = <T, Y>(
  write: (entries: Map<string, [hash: Buffer, message: T, extra: Y]>) => AugDict<Y>,
): Descriptor<T, Y> => {
  const entries = new Map<string, [hash: Buffer, message: T, extra: Y]>()
  return {
    get size() {
      return entries.size
    },
    add: (hash, message, extra) => {
      const key = hash.toString('latin1')
      if (entries.has(key)) throw new TonlithError('internal', 'a message has two entries in one descriptor')
      entries.set(key, [hash, message, extra])
    },
    build: () => write(entries),
  }
}

export type InMsgDescr = Descriptor<InMsg, ImportFees>
export type OutMsgDescr = Descriptor<OutMsg, CurrencyCollection>

export const inMsgDescr = (): InMsgDescr =>
  descriptor((entries) =>
    buildAugDict(
      [...entries.values()].map(
        ([key, message, extra]): AugDictChange<ImportFees> => ({
          key,
          extra,
          store: (builder) => storeInMsg(builder, message),
        }),
      ),
      MESSAGE_HASH_BITS,
      importFeesAug,
    ),
  )

export const outMsgDescr = (): OutMsgDescr =>
  descriptor((entries) =>
    buildAugDict(
      [...entries.values()].map(
        ([key, message, extra]): AugDictChange<CurrencyCollection> => ({
          key,
          extra,
          store: (builder) => storeOutMsg(builder, message),
        }),
      ),
      MESSAGE_HASH_BITS,
      currencyAug,
    ),
  )
