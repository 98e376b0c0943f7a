import { silentLogger } from '../../src/common/logger.ts'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { createAnswer } from '../../src/devnet/answer.ts'
import { createHead } from '../../src/devnet/head.ts'
import { encodeError, encodeQuery, isLiteRequest, type LiteRequest } from '../../src/ton/tl/lite-api.ts'
import { type FakeLiteserver, type Reply, startFakeLiteserver } from './fake-liteserver.ts'
import { recordedChain } from './recorded-chain.ts'

/** What is wrong with a server: it dies again and again, answers late or never, or with other bytes or an error. */
type Fault = 'dying' | 'late' | 'wrong'

const NOT_READY = 651
const SHARE = 0.08

/** Without these a server is not even asked. */
const isHousekeeping = ({ _ }: LiteRequest): boolean => _ === 'liteServer.getMasterchainInfoExt'

const flipped = (bytes: Buffer, random: () => number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[Math.floor(random() * copy.length)]! ^= 1 << Math.floor(random() * 8)
  return copy
}

const start = (fault: Fault, head: number, random: () => number): FakeLiteserver => {
  const truth = createAnswer(recordedChain(), createHead(head), silentLogger)

  const die = async (): Promise<void> => {
    server.kill()
    await Bun.sleep(random() * 400)
    if (!stopped) server.restart()
  }

  const spoil = async (bytes: Buffer): Promise<Reply> => {
    if (fault === 'dying') {
      if (random() < 0.3) void die()
      return 'close'
    }
    if (fault === 'wrong') return random() < 0.5 ? flipped(bytes, random) : encodeError(NOT_READY, 'not in db')
    if (random() < 0.1) return 'silence'
    await Bun.sleep(random() * 500)
    return bytes
  }

  let stopped = false
  const server = startFakeLiteserver({
    reply: async (call, wait) => {
      if (!isLiteRequest(call)) return 'close'
      const bytes = (await truth(encodeQuery(call, wait)))!
      return random() < SHARE && !isHousekeeping(call) ? spoil(bytes) : bytes
    },
  })
  return {
    ...server,
    kill: () => {
      stopped = true
      server.kill()
    },
  }
}

/** Three liteservers over the recorded chain, each with a fault of its own; which questions are spoilt follows from the seed. */
export const startFaultyLiteservers = (seed: number, head: number): FakeLiteserver[] =>
  (['dying', 'late', 'wrong'] as const).map((fault, i) => start(fault, head, seededRandom(seed * 31 + i)))
