import { beforeAll, describe, expect, test } from 'bun:test'
import { isTonlithError } from '../../src/common/errors.ts'
import type { SendingHead } from '../../src/devnet/external-message.ts'
import { createMempool } from '../../src/devnet/mempool.ts'
import { createIntake, type MessageIntake } from '../../src/devnet/message-intake.ts'
import { decodeRequest } from '../../src/ton/tl/lite-api.ts'
import { parseShardStateUnsplit } from '../../src/ton/tlb/shard-state.ts'
import { createExecutor } from '../../src/tvm/executor.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { recordedLines } from '../support/recorded-lines.ts'

/** Sends what a real node was sent on this chain, at the block that was its newest one, and compares the answers. */

interface Golden {
  id: number
  method: string
  note: string
  /** The whole question, in base64. */
  req: string
  mc_before: number
  error?: { code: number; message: string }
}

const TAKEN = 'taken'

const cases = recordedLines<Golden>('golden.jsonl').filter(({ method }) => method === 'sendMessage')

let intake: MessageIntake
let head: SendingHead

const headAt = (seqno: number): SendingHead => {
  const chain = recordedChain()
  const { id, state } = chain.masterchain(seqno)!
  return { id, state, shardState: (of) => chain.block(of)!.state }
}

beforeAll(async () => {
  head = headAt(cases[0]!.mc_before)
  const now = parseShardStateUnsplit(head.state).gen_utime
  const executor = await createExecutor()
  intake = createIntake({ executor, mempool: createMempool(), head: () => head, now: () => now })
})

const bodyOf = ({ req }: Golden): Buffer => {
  const { call } = decodeRequest(Buffer.from(req, 'base64'))
  if (call._ !== 'liteServer.sendMessage') throw new Error(`a question of another kind: ${call._}`)
  return call.body
}

const answerTo = async (golden: Golden): Promise<unknown> => {
  head = headAt(golden.mc_before)
  try {
    await intake.send(bodyOf(golden))
    return TAKEN
  } catch (error) {
    if (!isTonlithError(error, 'liteserver')) throw error
    return { code: error.code, message: error.message }
  }
}

describe('a message is taken or refused in the words of a node', () => {
  test('there are such messages', () => expect(cases.length).toBeGreaterThan(15))
  for (const golden of cases)
    test(`${golden.id} ${golden.note}`, async () => {
      expect(await answerTo(golden)).toEqual(golden.error ?? TAKEN)
    })
})
