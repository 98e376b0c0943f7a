import { parseArgs } from 'node:util'
import { suggestion } from '../common/edit-distance.ts'
import { UsageError } from './usage-error.ts'

/** What stands behind an action of a verb: its words, and its flags without their dashes. */
export interface ActionLine {
  words: string[]
  given: ReadonlyMap<string, string>
}

/**
 * The action that the first word behind a verb names.
 * @throws UsageError that lists all actions
 */
export const actionNamed = <Name extends string>(
  verb: string,
  actions: Readonly<Record<Name, unknown>>,
  word: string | undefined,
): Name => {
  const names = Object.keys(actions) as Name[]
  const name = names.find((candidate) => candidate === word)
  if (name !== undefined) return name
  const what = word === undefined ? `${verb} needs a word more` : `${verb} does not know ${word}`
  throw new UsageError(`${what}: ${names.join(', ')}`)
}

/**
 * Reads what stands behind an action. Every flag takes a value; `--flag VALUE` and `--flag=VALUE` are the same. What
 * begins with a minus sign and a digit is a word: an account of the masterchain.
 * @throws UsageError for a flag that is not allowed, has no value or is given twice, and for more than `mostWords` words
 */
export const readActionLine = (
  action: string,
  args: readonly string[],
  { flags, mostWords }: { flags: readonly string[]; mostWords: number },
): ActionLine => {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'string' as const }]))
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const given = new Map<string, string>()
  const words: string[] = []
  let taken = -1
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option' || token.index === taken) continue
    const arg = args[token.index]!
    if (/^-\d/.test(arg)) {
      words.push(arg)
      taken = token.index
      continue
    }
    if (!flags.includes(token.name)) {
      const known = flags.map((flag) => `--${flag}`)
      throw new UsageError(`${action} has no flag ${token.rawName}${suggestion(token.rawName, known, '--')}`)
    }
    if (token.value === undefined || (!token.inlineValue && token.value.startsWith('-')))
      throw new UsageError(`${token.rawName} needs a value`)
    if (given.has(token.name)) throw new UsageError(`${token.rawName} is given twice`)
    given.set(token.name, token.value)
  }
  if (words.length > mostWords) throw new UsageError(`${action} does not take the word ${words[mostWords]}`)
  return { words, given }
}
