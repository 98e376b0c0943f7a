import { afterAll, describe, expect, test } from 'bun:test'
import { silentLogger } from '../../src/common/logger.ts'
import { createAnswer } from '../../src/devnet/answer.ts'
import { createHead } from '../../src/devnet/head.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { openProof } from '../../src/ton/merkle.ts'
import { buildStackValue, type StackValue, stackInt } from '../../src/ton/stack.ts'
import { encodeQuery } from '../../src/ton/tl/lite-api.ts'
import { createShortRuns } from '../../src/tvm/short-runs.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { type RecordedRun, recordedRuns, runResult } from '../support/recorded-runs.ts'
import { parseStackValue } from '../support/stack-value.ts'
import { startTvm } from '../support/tvm.ts'

/**
 * Asks our own liteserver for every get-method that a real node ran on this chain, at the block where the node stood, and
 * compares the answers to the byte, but for what the node draws at random (the seed in c7, and what a method makes of it)
 * and the proof of the state: the node shows what the method read, we show the whole account.
 */

const workers = startTvm()
/** What was short in a Worker runs in this thread the next time. */
const tvm = createShortRuns(workers)
afterAll(() => tvm.stop())

/** A method that gives back a random number. */
const RANDOM = 'toolbox t0 rnd'
const SEED = 6

const ask = ({ request, between: [before] }: RecordedRun): Promise<Buffer | undefined> =>
  createAnswer(recordedChain(), createHead(before), silentLogger, { tvm })(encodeQuery(request))

const withoutSeed = (c7: Buffer): string => {
  const value = parseStackValue(parseBocRoot(c7))
  if (value._ !== 'vm_stk_tuple') throw new Error('c7 is no tuple')
  const [info, ...others] = value.data
  if (info?._ !== 'vm_stk_tuple') throw new Error('c7 holds no SmartContractInfo')
  const fixed: StackValue = { _: 'vm_stk_tuple', data: info.data.with(SEED, stackInt(0)) }
  return buildStackValue({ _: 'vm_stk_tuple', data: [fixed, ...others] })
    .hash()
    .toString('hex')
}

/** What must be equal in two answers. */
const comparable = (run: RecordedRun) => {
  const { init_c7, state_proof, result, ...rest } = runResult(run)!
  return {
    ...rest,
    init_c7: init_c7?.length ? withoutSeed(init_c7) : init_c7,
    state_proof: state_proof?.length ? openProof(parseBocRoot(state_proof)).hash(0).toString('hex') : state_proof,
    result: run.note === RANDOM ? result?.length : result,
  }
}

describe('get-methods of the recorded node', () => {
  const runs = recordedRuns()

  test('are answered with its exit codes, stacks, proofs and registers', async () => {
    const answered = runs.filter((run) => runResult(run))
    expect(answered.length).toBeGreaterThan(230)
    for (const run of [...answered, ...answered]) {
      const got = { ...run, answer: (await ask(run))! }
      expect({ line: run.id, ...comparable(got) }).toEqual({ line: run.id, ...comparable(run) })
    }
    expect(tvm.figures().runs.answered - workers.figures().runs.answered).toBeGreaterThan(0)
  }, 60_000)

  test('are refused where the node refuses, in its words', async () => {
    const refused = runs.filter((run) => !runResult(run))
    expect(refused.length).toBeGreaterThan(3)
    for (const run of refused)
      expect(`${run.id} ${(await ask(run))?.toString('base64')}`).toBe(`${run.id} ${run.answer.toString('base64')}`)
  })
})
