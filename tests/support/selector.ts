import type { RowValue } from './action-row.ts'

/**
 * Conditions as recorded expectations hold them: `{{ value.a.b == 'x' or value|length > 1 }}`. Paths from `value`, the
 * filter `length`, texts, integers, None, true and false; comparisons, `not`, `and`, `or`, parentheses.
 */

const TOKEN = /\s*(==|!=|<=|>=|[<>()|[\].]|'[^']*'|"[^"]*"|-?\d+|[A-Za-z_]\w*)/y

const tokensOf = (text: string): string[] => {
  const tokens: string[] = []
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const match = TOKEN.exec(text)
    if (!match) throw new SyntaxError(`condition: ${text}`)
    tokens.push(match[1]!)
  }
  return tokens
}

const CONSTANTS: Readonly<Record<string, RowValue>> = {
  None: null,
  none: null,
  True: true,
  true: true,
  False: false,
  false: false,
}

const lengthOf = (value: RowValue): bigint => {
  if (typeof value === 'string' || Array.isArray(value)) return BigInt(value.length)
  return BigInt(Object.keys(value ?? {}).length)
}

const truth = (value: RowValue): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== false && value !== 0n && value !== ''

const memberOf = (value: RowValue, key: string): RowValue =>
  (value as { readonly [key: string]: RowValue } | null)?.[key] ?? null

const COMPARISONS: Readonly<Record<string, (a: RowValue, b: RowValue) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a! < b!,
  '>': (a, b) => a! > b!,
  '<=': (a, b) => a! <= b!,
  '>=': (a, b) => a! >= b!,
}

/** True for a text that is a condition. */
export const isCondition = (text: unknown): boolean => typeof text === 'string' && text.trim().startsWith('{{')

/** Whether a condition holds for a value. Throws SyntaxError for what is none. */
export const holds = (condition: string, value: RowValue): boolean => {
  const tokens = tokensOf(
    condition
      .trim()
      .replace(/^\{\{\s*/, '')
      .replace(/\s*\}\}$/, ''),
  )
  let at = 0
  const taken = (token: string): boolean => {
    if (tokens[at] !== token) return false
    at++
    return true
  }
  const atom = (): RowValue => {
    const token = tokens[at++]
    if (token === undefined) throw new SyntaxError(`condition ends: ${condition}`)
    if (token === '(') {
      const inner = either()
      at++
      return inner
    }
    if (/^['"]/.test(token)) return token.slice(1, -1)
    if (/^-?\d/.test(token)) return BigInt(token)
    if (token in CONSTANTS) return CONSTANTS[token]!
    if (token !== 'value') throw new SyntaxError(`condition knows no ${token}`)
    return value
  }
  const path = (): RowValue => {
    let found = atom()
    for (;;) {
      if (taken('.')) found = memberOf(found, tokens[at++]!)
      else if (taken('[')) {
        found = memberOf(found, tokens[at++]!.replace(/^['"]|['"]$/g, ''))
        at++
      } else if (taken('|')) {
        if (!taken('length')) throw new SyntaxError(`condition knows no filter ${tokens[at]}`)
        found = lengthOf(found)
      } else return found
    }
  }
  const comparison = (): RowValue => {
    if (taken('not')) return !truth(comparison())
    const left = path()
    const compare = COMPARISONS[tokens[at] ?? '']
    if (!compare) return left
    at++
    return compare(left, path())
  }
  const both = (): RowValue => {
    let result = comparison()
    while (taken('and')) {
      const next = comparison()
      result = truth(result) ? next : result
    }
    return result
  }
  const either = (): RowValue => {
    let result = both()
    while (taken('or')) {
      const next = both()
      result = truth(result) ? result : next
    }
    return result
  }
  return truth(either())
}
