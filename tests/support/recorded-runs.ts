import { readFileSync } from 'node:fs'
import { decodeAnswer, decodeRequest, type LiteAnswer, type LiteRequest } from '../../src/ton/tl/lite-api.ts'

/** One recorded question for a get-method, and the bytes that the node answered with. */
export interface RecordedRun {
  id: number
  note: string
  request: LiteRequest<'liteServer.runSmcMethod'>
  /** Last masterchain block of the node before and after it answered. */
  between: readonly [number, number]
  answer: Buffer
}

interface Line {
  id: number
  method: string
  note: string
  level?: string
  req: string
  mc_before: number
  mc_after: number
  resp?: string
}

/** Every recorded runSmcMethod with its answer, errors too. */
export const recordedRuns = (): RecordedRun[] => {
  const packed = readFileSync(new URL('../fixtures/chain/golden.jsonl.zst', import.meta.url))
  return Bun.zstdDecompressSync(packed)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ method, level, resp }) => method === 'runSmcMethod' && level !== 'adnl' && resp !== undefined)
    .map(({ id, note, req, mc_before, mc_after, resp }) => ({
      id,
      note,
      request: decodeRequest(Buffer.from(req, 'base64')).call as LiteRequest<'liteServer.runSmcMethod'>,
      between: [mc_before, mc_after] as const,
      answer: Buffer.from(resp!, 'base64'),
    }))
}

/** What a recorded answer says, or undefined for an error or an answer of another type. */
export const runResult = ({ answer }: RecordedRun): LiteAnswer<'liteServer.runSmcMethod'> | undefined => {
  try {
    return decodeAnswer('liteServer.runSmcMethod', answer)
  } catch {
    return undefined
  }
}
