import { beforeAll, expect, test } from 'bun:test'
import type { SendingHead } from '../../../src/devnet/external-message.ts'
import { createMempool } from '../../../src/devnet/mempool.ts'
import { createIntake } from '../../../src/devnet/message-intake.ts'
import { SHARD_ALL } from '../../../src/ton/block-id.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import { createExecutor, type Executor } from '../../../src/tvm/executor.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type RecordedExternal, recordedExternals } from '../../support/recorded-externals.ts'
import { rejectionOf } from '../../support/rejection.ts'

const DUPLICATE = { code: 0, message: 'cannot send external message : duplicate message' }

let executor: Executor
beforeAll(async () => {
  executor = await createExecutor()
})

/** An intake at the block before a recorded message, and that message. */
const before = (recorded: RecordedExternal, perAddress = 9) => {
  const chain = recordedChain()
  const { id, state } = chain.masterchain(recorded.before.mc_seqno)!
  const head: SendingHead = { id, state, shardState: (of) => chain.block(of)!.state }
  const clock = { now: parseShardStateUnsplit(state).gen_utime }
  const mempool = createMempool({ messages: 9, bytes: 99_999, perAddress, seconds: 600 })
  const intake = createIntake({ executor, mempool, head: () => head, now: () => clock.now })
  const body = cellToBoc(recorded.message)
  return { intake, mempool, body, clock, refused: [{ message: recorded.message, reason: 'so' }] }
}

const [first] = [...recordedExternals()].filter(
  ({ address, block, before: { mc_seqno } }) => address.workchain === 0 && block.mc_seqno === mc_seqno + 1,
)

test('what a block refused may be sent again', async () => {
  const { intake, mempool, body, refused } = before(first!)
  await intake.send(body)
  expect(await rejectionOf(intake.send(body))).toMatchObject(DUPLICATE)
  expect(mempool.batch({ workchain: 0, shard: SHARD_ALL }, 9)).toHaveLength(1)
  intake.settle({ taken: [], refused })
  expect(mempool.messages).toBe(0)
  await intake.send(body)
  expect(mempool.messages).toBe(1)
})

test('what was sent is forgotten after a minute, and waits for ten', async () => {
  const { intake, mempool, body, clock } = before(first!)
  await intake.send(body)
  clock.now += 60
  await intake.send(body)
  expect(mempool.messages).toBe(1)
  clock.now += 600
  intake.expire()
  expect(mempool.messages).toBe(0)
})

test('says when there is no room', async () => {
  const { intake, body } = before(first!, 0)
  const message = 'cannot apply external message to current state : per address limit reached (limit=0)'
  expect(await rejectionOf(intake.send(body))).toMatchObject({ kind: 'liteserver', code: 0, message })
  expect(await rejectionOf(intake.send(body))).not.toMatchObject(DUPLICATE)
})
