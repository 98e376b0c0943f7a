import type { Caller } from './caller.ts'
import { drawQuestion, type Population } from './questions.ts'
import type { Answer, Truth } from './truth.ts'

/** Something that goes on until it is told to stop. */
export interface Flow {
  stop(): Promise<void>
}

/** Runs a step again and again, one after the other; a long one looks whether it is over. */
export const startFlow = (
  step: (isOver: () => boolean) => Promise<void>,
  pauseMs: number,
  broken: (error: unknown) => void,
): Flow => {
  let over = false
  const running = (async () => {
    while (!over) {
      await step(() => over)
      await Bun.sleep(pauseMs)
    }
  })().catch(broken)
  return {
    stop: async () => {
      over = true
      await running
    },
  }
}

/** An index that has not come that far says so, and does not know the block. */
const isBehind = (truth: Truth, asked: number, { status, headers }: Answer): boolean =>
  status === 404 && Number(headers.get('x-index-seqno') ?? 0) < Math.max(asked, truth.ledger.head())

/** Readers who ask one question after another, and compare each answer with the chain. */
export const startReaders = (
  count: number,
  pauseMs: number,
  caller: Caller,
  truth: Truth,
  population: Population,
  broken: (error: unknown) => void,
): Flow[] =>
  Array.from({ length: count }, () =>
    startFlow(
      async () => {
        const { name, path, body, judge } = drawQuestion(truth, population)
        const asked = truth.ledger.head()
        await caller.ask(name, path, {
          ...(body !== undefined && { body }),
          also: path.startsWith('/api/v3') ? [404] : [],
          judge: async (answer) => {
            if (answer.status === 200) return await judge(answer)
            return isBehind(truth, asked, answer) ? undefined : `404 ${JSON.stringify(answer.body)}`
          },
        })
      },
      pauseMs,
      broken,
    ),
  )
