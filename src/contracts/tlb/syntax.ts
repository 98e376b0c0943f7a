/** A type as it is written in a TL-B text. */
export type TypeExpr =
  | { kind: 'number'; value: number }
  /** A type, a number that was read before, or a parameter; `args` where it is applied: (VarUInteger 16). */
  | { kind: 'name'; name: string; args: readonly TypeExpr[] }
  | { kind: 'ref'; of: TypeExpr }
  /** [ … ]: a record without a type of its own. */
  | { kind: 'record'; fields: readonly Field[] }
  | { kind: 'conditional'; test: TypeExpr; of: TypeExpr }
  | { kind: 'operation'; operator: Operator; left: TypeExpr; right: TypeExpr }

export type Operator = '+' | '*' | '.' | '=' | '<' | '<=' | '>' | '>='

export type Field =
  | { kind: 'field'; name: string; type: TypeExpr }
  /** {X:Type} or {n:#}. */
  | { kind: 'parameter'; name: string }
  /** { a < b }. */
  | { kind: 'constraint'; test: TypeExpr }

/** One constructor of a TL-B type. */
export interface Constructor {
  /** Empty for `_`. */
  name: string
  tagBits: number
  tag: number
  fields: readonly Field[]
  /** The type that it belongs to, and what it is applied to there. */
  type: string
  args: readonly TypeExpr[]
}

const TOKEN = /\s+|\/\/[^\n]*|(##|#<=|#<|#_|#[0-9a-fA-F]+|#|\$_|\$[01]+|[A-Za-z_]\w*|\d+|<=|>=|[<>=*+.?:;^(){}[\]])/y

const tokensOf = (text: string): string[] => {
  const tokens: string[] = []
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (!match) throw new SyntaxError(`TL-B: unexpected text: ${text.slice(at, at + 40)}`)
    if (match[1] !== undefined) tokens.push(match[1])
  }
  return tokens
}

const NAME = /^[A-Za-z_]\w*$/
const NUMBER = /^\d+$/
const OPERATORS = new Set<string>(['+', '*', '=', '<', '<=', '>', '>='])
const isOperator = (token: string | undefined): token is Operator => token !== undefined && OPERATORS.has(token)

const tagOf = (token: string): Pick<Constructor, 'tagBits' | 'tag'> => {
  const digits = token.slice(1)
  if (digits === '_') return { tagBits: 0, tag: 0 }
  return token.startsWith('$')
    ? { tagBits: digits.length, tag: Number.parseInt(digits, 2) }
    : { tagBits: digits.length * 4, tag: Number.parseInt(digits, 16) }
}

/**
 * Reads a TL-B text: constructors of at most 48 bits of tag, each with its tag written out (`#_` for none), with named,
 * conditional, referred and in-line records, parameters and constraints. Throws SyntaxError.
 */
export const parseScheme = (text: string): Constructor[] => {
  const tokens = tokensOf(text)
  let at = 0

  const fail = (wanted: string): never => {
    throw new SyntaxError(`TL-B: ${wanted} expected at: ${tokens.slice(Math.max(0, at - 6), at + 6).join(' ')}`)
  }
  const next = (): string => tokens[at++] ?? fail('more text')
  const expect = (token: string): void => {
    if (tokens[at] !== token) fail(token)
    at++
  }
  const name = (): string => (NAME.test(tokens[at] ?? '') ? next() : fail('a name'))

  const primary = (): TypeExpr => {
    const token = next()
    if (token === '^') return { kind: 'ref', of: primary() }
    if (token === '(') {
      const inner = expression()
      expect(')')
      return inner
    }
    if (token === '[') {
      const fields = fieldsUntil(']')
      expect(']')
      return { kind: 'record', fields }
    }
    if (NUMBER.test(token)) return { kind: 'number', value: Number(token) }
    if (token === '#') return { kind: 'name', name: 'uint32', args: [] }
    if (token === '##' || token === '#<' || token === '#<=' || NAME.test(token))
      return { kind: 'name', name: token, args: [] }
    at--
    return fail('a type')
  }

  const isOver = (token: string | undefined): boolean =>
    token === undefined || token === ')' || token === '}' || isOperator(token)

  const application = (): TypeExpr => {
    const head = bitOf(primary())
    if (isOver(tokens[at])) return head
    if (head.kind !== 'name') return fail('an operator')
    const args: TypeExpr[] = []
    while (!isOver(tokens[at])) args.push(primary())
    return { ...head, args }
  }

  const expression = (): TypeExpr => {
    let left = application()
    while (isOperator(tokens[at])) {
      const operator = next() as Operator
      left = { kind: 'operation', operator, left, right: application() }
    }
    return left
  }

  const bitOf = (left: TypeExpr): TypeExpr => {
    if (tokens[at] !== '.') return left
    at++
    return { kind: 'operation', operator: '.', left, right: primary() }
  }

  const fieldType = (): TypeExpr => {
    const type = bitOf(primary())
    if (tokens[at] !== '?') return type
    at++
    return { kind: 'conditional', test: type, of: primary() }
  }

  const braced = (): Field => {
    if (tokens[at + 1] === ':') {
      const parameter = name()
      at += 2
      return { kind: 'parameter', name: parameter }
    }
    return { kind: 'constraint', test: expression() }
  }

  const fieldsUntil = (end: string): Field[] => {
    const fields: Field[] = []
    while (tokens[at] !== end) {
      if (tokens[at] === '{') {
        at++
        fields.push(braced())
        expect('}')
      } else if (tokens[at] === '^') {
        fields.push({ kind: 'field', name: '_', type: primary() })
      } else {
        const field = name()
        expect(':')
        fields.push({ kind: 'field', name: field, type: fieldType() })
      }
    }
    return fields
  }

  const constructors: Constructor[] = []
  while (at < tokens.length) {
    const called = name()
    const tagged = /^[#$]./.test(tokens[at] ?? '') ? next() : called === '_' ? '#_' : fail('a tag')
    const fields = fieldsUntil('=')
    expect('=')
    const type = name()
    const args: TypeExpr[] = []
    while (tokens[at] !== ';') args.push(primary())
    expect(';')
    constructors.push({ name: called === '_' ? '' : called, ...tagOf(tagged), fields, type, args })
  }
  return constructors
}
