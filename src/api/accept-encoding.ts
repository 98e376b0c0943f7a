/** How an answer's body can be compressed. */
export type Encoding = 'zstd' | 'gzip'

/** The better one first: what the caller likes equally well is chosen in this order. */
const KNOWN: readonly Encoding[] = ['zstd', 'gzip']
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** The weight of one element of the header, from 0 to 1; one that cannot be read counts as a refusal. */
const weightOf = (parameters: readonly string[]): number => {
  for (const parameter of parameters) {
    const text = parameter.trim().toLowerCase()
    if (text.startsWith('q=')) return Number(WEIGHT.exec(text)?.[1] ?? 0)
  }
  return 1
}

const readWeights = (header: string): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const element of header.split(',')) {
    const [name = '', ...parameters] = element.split(';')
    weights.set(name.trim().toLowerCase(), weightOf(parameters))
  }
  return weights
}

const choose = (header: string): Encoding | undefined => {
  const weights = readWeights(header)
  const others = weights.get('*') ?? 0
  const weightFor = (name: Encoding): number =>
    weights.get(name) ?? (name === 'gzip' ? weights.get('x-gzip') : undefined) ?? others
  const plain = weights.get('identity') ?? 0
  let best: Encoding | undefined
  for (const name of KNOWN)
    if (weightFor(name) > (best === undefined ? 0 : weightFor(best)) && weightFor(name) >= plain) best = name
  return best
}

/** Clients of one kind send the same header again and again; of other ones no more than this are kept. */
const MAX_KEPT = 64
const kept = new Map<string, Encoding | undefined>()

/**
 * The encoding that a caller with this Accept-Encoding header likes best (RFC 9110, 12.5.3); undefined for the body as it
 * is: when nothing else is accepted, when it is liked better, and without the header.
 */
export const chooseEncoding = (header: string | null): Encoding | undefined => {
  if (header === null || header === '') return undefined
  if (kept.has(header)) return kept.get(header)
  const chosen = choose(header)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(header, chosen)
  return chosen
}
