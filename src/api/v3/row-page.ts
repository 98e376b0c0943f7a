import type { Page } from '../../model/index-records.ts'
import { goJson, type Wire } from './go-json.ts'
import type { Answer, CallContext } from './method.ts'
import type { ReadPiece } from './text-writer.ts'

/** A row of an answer. */
export interface Row {
  wire: Wire
  /** The addresses in it, raw: what the address book is to name. Null stands for none. */
  addresses: readonly (string | null)[]
}

/** Collects what the rows of one answer name. */
export const createNames = () => {
  const named = new Set<string>()
  return {
    named: named as ReadonlySet<string>,
    /** The row as JSON. */
    text: ({ wire, addresses }: Row): string => {
      for (const address of addresses) if (address !== null) named.add(address)
      return goJson(wire)
    },
  }
}

/** `"address_book":…`: how an answer without metadata ends. */
export const bookField = async ({ book }: CallContext<unknown>, named: Iterable<string>): Promise<string> =>
  `"address_book":${await book.of(named)}`

/** `"address_book":…,"metadata":…`: how most answers end. */
export const namesFields = async (context: CallContext<unknown>, named: ReadonlySet<string>): Promise<string> =>
  `${await bookField(context, named)},"metadata":${await context.metadata.of(named)}`

/** Writes the fields behind the rows. */
export type Ending = (context: CallContext<unknown>, named: ReadonlySet<string>) => Promise<string>

/** What page of a list is asked for, as its parameters are read. */
interface AskedPage {
  limit: number
  offset: number
  sort?: Page['sort'] | undefined
  cursor: Buffer | undefined
}

/** The answer with one page of rows under a key. */
export const answerRows = async <T>(
  context: CallContext<unknown>,
  key: string,
  { limit, offset, sort = 'asc', cursor }: AskedPage,
  read: ReadPiece<T>,
  write: (record: T) => Row,
  ending: Ending = namesFields,
): Promise<Answer> => {
  const { named, text } = createNames()
  const page = await context.writer.page(read, { limit, offset, sort, after: cursor }, (record) => text(write(record)))
  return { text: `{"${key}":${page.text},${await ending(context, named)}}`, next: page.next }
}
