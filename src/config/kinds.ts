import { resolve } from 'node:path'

/** How the text of a setting becomes its value. */
export type Kind<T> = {
  /** What a value looks like, for help and tables: `HOST:PORT`. */
  form: string
  /**
   * @param text the value as written in a flag, in the environment or in the file
   * @param folder the folder that relative paths start from
   * @throws Error whose message ends the sentence "NAME must be …"
   */
  parse(text: string, folder: string): T
  /**
   * For what may be a table in the file: the text that says the same.
   * @throws Error whose message ends the sentence "NAME must be …"
   */
  fromTable?(table: Readonly<Record<string, unknown>>): string
  /** What its flag means without a value; a flag that has this takes one behind `=` only. */
  bare?: string
}

export type Address = { host: string; port: number }

/** One of a fixed list of words. */
export const oneOf = <const W extends readonly string[]>(words: W): Kind<W[number]> => ({
  form: words.join('|'),
  parse(text) {
    const word = words.find((candidate) => candidate === text)
    if (word === undefined) throw new Error(`one of ${words.join(', ')}`)
    return word
  },
})

/** A whole number from `min` to `max`. */
export const integer = (form: string, min: number, max: number): Kind<number> => ({
  form,
  parse(text) {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) throw new Error(`a whole number from ${min} to ${max}`)
    return value
  },
})

/** A switch: its flag alone turns it on. */
export const toggle: Kind<boolean> = {
  form: 'on|off',
  bare: 'on',
  parse(text) {
    if (text !== 'on' && text !== 'off') throw new Error('on or off')
    return text === 'on'
  },
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 } as const

/** A span of time such as `500ms`, `10s` or `2m`; a bare number counts milliseconds. Gives milliseconds. */
export const duration = (min: string, max: string): Kind<number> => {
  const read = (text: string): number => {
    const match = /^(\d{1,9})(ms|s|m)?$/.exec(text)
    return match ? Number(match[1]) * UNIT_MS[(match[2] ?? 'ms') as keyof typeof UNIT_MS] : Number.NaN
  }
  return {
    form: '500ms|10s',
    parse(text) {
      const value = read(text)
      if (!(value >= read(min) && value <= read(max))) {
        throw new Error(`a duration from ${min} to ${max}, such as 500ms or 10s`)
      }
      return value
    },
  }
}

const AGE_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

/** A span of time such as `15m`, `24h` or `90d`. Gives seconds. */
export const age = (min: string, max: string): Kind<number> => {
  const read = (text: string): number => {
    const [, digits, unit] = /^(\d{1,9})(s|m|h|d)$/.exec(text) ?? []
    return Number(digits) * AGE_SECONDS[unit as keyof typeof AGE_SECONDS]
  }
  return {
    form: '24h|90d',
    parse(text) {
      const value = read(text)
      if (!(value >= read(min) && value <= read(max))) throw new Error(`from ${min} to ${max}, such as 24h or 90d`)
      return value
    },
  }
}

/** How often a block is made: a duration in milliseconds, or only when somebody asks for one. */
export const blockInterval: Kind<number | 'manual'> = {
  form: 'MS|manual',
  parse(text, folder) {
    if (text === 'manual') return text
    try {
      return duration('10ms', '10m').parse(text, folder)
    } catch {
      throw new Error('manual, or a duration from 10ms to 10m, such as 400ms')
    }
  },
}

/** How many shards the workchain begins with. */
export const shardCount: Kind<1 | 2 | 4> = {
  form: '1|2|4',
  parse(text) {
    const count = ([1, 2, 4] as const).find((candidate) => String(candidate) === text)
    if (count === undefined) throw new Error('1, 2 or 4')
    return count
  },
}

/** Where to listen: `127.0.0.1:8081`, `localhost:8081`, `[::1]:8081`; port 0 lets the system choose. */
export const address: Kind<Address> = {
  form: 'HOST:PORT',
  parse(text) {
    const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text)
    const port = Number(match?.[3])
    const host = match?.[1] ?? match?.[2]
    if (host === undefined || !(port <= 65_535)) throw new Error('HOST:PORT, such as 127.0.0.1:8081')
    return { host, port }
  },
}

/** Where the index begins: the newest block, the first one, or the one with a seqno. */
export const indexFrom: Kind<'head' | 'genesis' | number> = {
  form: 'head|genesis|SEQNO',
  parse(text, folder) {
    if (text === 'head' || text === 'genesis') return text
    try {
      return integer('SEQNO', 1, 2 ** 31 - 1).parse(text, folder)
    } catch {
      throw new Error('head, genesis, or the seqno of a masterchain block')
    }
  },
}

/** How much an index keeps: all, what is younger than some seconds, or what fits into some bytes. */
export type Retain = { seconds: number } | { bytes: number } | 'forever'

const DAY_SECONDS = 86_400
const RETAIN_SECONDS = { h: 3_600, d: DAY_SECONDS } as const
const RETAIN_BYTES = { MB: 1e6, GB: 1e9, TB: 1e12 } as const

/** `forever`, an age such as `30d` or `12h`, or a size such as `100GB`. */
export const retain: Kind<Retain> = {
  form: '30d|100GB|forever',
  parse(text) {
    if (text === 'forever') return text
    const [, digits, unit] = /^(\d{1,6})(h|d|MB|GB|TB)$/.exec(text) ?? []
    const number = Number(digits)
    if (unit === undefined || number === 0) throw new Error('forever, an age such as 30d, or a size such as 100GB')
    return unit === 'h' || unit === 'd'
      ? { seconds: number * RETAIN_SECONDS[unit] }
      : { bytes: number * RETAIN_BYTES[unit as keyof typeof RETAIN_BYTES] }
  },
}

/** A file or folder, as an absolute path. */
export const path = (form: 'FILE' | 'DIR'): Kind<string> => ({
  form,
  parse(text, folder) {
    if (text === '') throw new Error(`the path of a ${form === 'DIR' ? 'folder' : 'file'}`)
    return resolve(folder, text)
  },
})

/** The recorded network that the program carries in itself; a folder of that name is `./embedded`. */
export const EMBEDDED = 'embedded'

/** A folder's absolute path, or EMBEDDED. */
export const recording: Kind<string> = {
  form: `DIR|${EMBEDDED}`,
  parse: (text, folder) => (text === EMBEDDED ? text : path('DIR').parse(text, folder)),
}

/** A file's absolute path, or an http(s) URL as it was written. */
export const fileOrUrl: Kind<string> = {
  form: 'FILE|URL',
  parse(text, folder) {
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return path('FILE').parse(text, folder)
    if (!/^https?:/i.test(text) || !URL.canParse(text)) throw new Error('a file, or a URL of http or https')
    return text
  },
}

/** A network: one of those that are built in, or its global config. */
export const networkSource: Kind<string> = {
  form: 'mainnet|testnet|FILE|URL',
  parse: (text, folder) => (text === 'mainnet' || text === 'testnet' ? text : fileOrUrl.parse(text, folder)),
}

/** A URL of http or https without credentials, query and fragment. */
export const webUrl: Kind<string> = {
  form: 'URL',
  parse(text) {
    const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
    if (!url || url.username + url.password + url.search + url.hash !== '')
      throw new Error('a URL of http or https, without credentials and query')
    return url.href
  },
}

/** Which web pages may read answers: `*` for all, `off` for none, or origins with commas between. */
export const origins: Kind<readonly string[]> = {
  form: '*|off|ORIGINS',
  parse(text) {
    if (text === 'off') return []
    const list = text.split(',')
    const valid = list.every((origin) => origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin))
    if (!valid) throw new Error('*, off, or origins such as https://example.org with commas between')
    return list
  },
}

/** What a key or token is made of, in words. */
export const KEY_FORM = '8 to 128 letters, digits, "_" or "-"'

/** An API key: long enough not to be guessed, and nothing that a URL or a header would have to escape. */
export const apiKey: Kind<string> = {
  form: 'KEY',
  parse(text) {
    if (!/^[A-Za-z0-9_-]{8,128}$/.test(text)) throw new Error(KEY_FORM)
    return text
  },
}
