import { TonlithError } from '../common/errors.ts'
import type { GetMethods } from '../contracts/get-methods.ts'
import { findJettonMaster } from '../contracts/jetton.ts'
import { tokenInfoOf, uriOf } from '../contracts/token-info.ts'
import type { TokenContent } from '../model/token-content.ts'
import type { DocumentOf, TokenInfo } from '../model/token-info.ts'
import type { Address } from '../ton/address.ts'
import { MAX_DECIMALS } from './asset-amount.ts'

/** What a payment needs to know of a jetton. */
export interface JettonAsset {
  readonly decimals: number
  /** Its symbol; null where it tells none. */
  readonly ticker: string | null
}

/** Where jettons tell of themselves. */
export interface JettonSources {
  /** The content of a jetton's master as the index has it; undefined where it has none. */
  indexed(master: Address): TokenContent | undefined
  /** What the URIs of content led to. */
  readonly documentOf: DocumentOf
  /** Where nothing is fetched because nothing is at stake: what a URI would tell counts as not told. */
  readonly careless: boolean
}

/** TEP-64: what holds where a jetton does not tell its decimals. */
const DEFAULT_DECIMALS = 9
const MAX_TICKER = 64

const decimalsIn = ({ extra }: TokenInfo): number => {
  const text = extra.find(([name]) => name === 'decimals')?.[1]
  if (text === undefined) return DEFAULT_DECIMALS
  const [, digits] = /^"?\s*(\d{1,3})\s*"?$/.exec(text) ?? []
  if (digits === undefined || Number(digits) > MAX_DECIMALS)
    throw new TonlithError('conflict', 'the decimals that the jetton tells cannot be used')
  return Number(digits)
}

/** Decimals that stand behind a URI which nobody has read must not be guessed: a wrong guess is a thousandfold amount. */
const refuseUnknown = (content: TokenContent, { documentOf, careless }: JettonSources): void => {
  const uri = uriOf(content)
  const told = content._ === 'onchain' && 'decimals' in content.attributes
  if (uri === undefined || told || careless) return
  const document = documentOf(uri)
  if (document === undefined)
    throw new TonlithError('unavailable', "the jetton's metadata is being fetched: ask again in a few seconds", {
      code: 503,
    })
  if (document._ === 'failed')
    throw new TonlithError('conflict', "the jetton's decimals are not known: its metadata cannot be read")
}

/**
 * The jetton with this master: what the index knows of it, else what the master answers live.
 * @throws TonlithError `invalid` for an account that is no jetton master, `conflict` and `unavailable` (503) while its
 * decimals cannot be told; what `methods` throws
 */
export const readJettonAsset = async (
  master: Address,
  methods: GetMethods,
  sources: JettonSources,
): Promise<JettonAsset> => {
  const content = sources.indexed(master) ?? (await findJettonMaster(methods, master))?.jetton_content
  if (!content) throw new TonlithError('invalid', 'asset is neither TON nor the master of a jetton')
  refuseUnknown(content, sources)
  const info = tokenInfoOf('jetton_master', content, sources.documentOf)
  const ticker = info.symbol?.trim().slice(0, MAX_TICKER)
  return { decimals: decimalsIn(info), ticker: ticker ? ticker : null }
}
