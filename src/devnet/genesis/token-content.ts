import { hash } from 'node:crypto'
import { type Builder, beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { buildDict } from '../../ton/dictionary-writer.ts'
import { snakeCell } from '../../ton/snake.ts'

const SNAKE = Buffer.of(0)

/** TEP-64 on-chain content: every value a snake behind a reference. */
export const onchainContent = (attributes: Readonly<Record<string, string>>): Cell => {
  const items = Object.entries(attributes).map(([name, value]) => ({
    key: hash('sha256', name, 'buffer'),
    store: (builder: Builder) => builder.ref(snakeCell(Buffer.concat([SNAKE, Buffer.from(value)]))),
  }))
  return beginCell().uint(0, 8).maybeRef(buildDict(items, 256)).endCell()
}

/** The body of a message with a comment. */
export const commentBody = (text: string): Cell => snakeCell(Buffer.concat([Buffer.alloc(4), Buffer.from(text)]))
