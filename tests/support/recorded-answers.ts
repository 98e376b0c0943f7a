import { readFileSync } from 'node:fs'
import { decodeAnswer, decodeRequest, type LiteAnswer } from '../../src/ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../../src/ton/tl/schema.ts'
import type { Arguments } from '../../src/ton/tl/types.ts'

/** One question to the recorded node and its answer. */
export interface Recorded<M extends LiteServerMethod> {
  id: number
  note: string
  args: Arguments<M>
  answer: LiteAnswer<M>
}

interface Line {
  id: number
  method: string
  note?: string
  level?: string
  req: string
  resp?: string
  error?: unknown
}

const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

let fixture: Line[] | undefined

const fixtureLines = (): Line[] => {
  const packed = readFileSync(new URL('../fixtures/chain/golden.jsonl.zst', import.meta.url))
  fixture ??= linesOf(Bun.zstdDecompressSync(packed).toString())
  return fixture
}

/** Lines of a golden.jsonl for recordedAnswers. */
export const readGolden = (path: string): Line[] => linesOf(readFileSync(path, 'utf8'))

/** Every recorded question of the method that was not answered with an error; of the fixture unless lines are given. */
export const recordedAnswers = <M extends LiteServerMethod>(
  method: M,
  lines: readonly Line[] = fixtureLines(),
): Recorded<M>[] =>
  lines
    .filter((line) => `liteServer.${line.method}` === method && line.resp && !line.error && line.level !== 'adnl')
    .map((line) => ({
      id: line.id,
      note: line.note ?? '',
      args: decodeRequest(Buffer.from(line.req, 'base64')).call as unknown as Arguments<M>,
      answer: decodeAnswer(method, Buffer.from(line.resp!, 'base64')),
    }))
