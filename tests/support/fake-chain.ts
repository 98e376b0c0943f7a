import { hash } from 'node:crypto'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { encode } from '../../src/ton/tl/codec.ts'
import { encodeError, type Wait } from '../../src/ton/tl/lite-api.ts'
import type { Call } from '../../src/ton/tl/types.ts'

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** The masterchain block of a seqno in a made-up network. */
export const fakeBlock = (seqno: number, network = 'a'): BlockIdExt => ({
  workchain: MASTERCHAIN,
  shard: SHARD_ALL,
  seqno,
  root_hash: digest(`${network} root ${seqno}`),
  file_hash: digest(`${network} file ${seqno}`),
})

/** A made-up masterchain as one server sees it: a head that a test moves, and the answers that a pool needs. */
export interface FakeChain {
  readonly seqno: number
  /** Moves the head; whoever waits for it is answered. */
  moveTo(seqno: number): void
  /** The answer to a question about the head, to getTime, and to lookups of old blocks. */
  reply(call: Call, wait: Wait | undefined): Promise<Buffer>
}

export interface FakeChainOptions {
  network?: string
  seqno?: number
  /** Keeps all of its history. */
  archival?: boolean
}

export const createFakeChain = ({ network = 'a', seqno = 100, archival = false }: FakeChainOptions = {}): FakeChain => {
  let head = seqno
  const waiting = new Set<() => void>()

  const waitFor = async ({ seqno, timeout_ms }: Wait): Promise<boolean> => {
    const deadline = performance.now() + timeout_ms
    while (head < seqno && performance.now() < deadline)
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, Math.max(0, deadline - performance.now()))
        waiting.add(wake)
      })
    return head >= seqno
  }

  const masterchainInfo = (): Buffer =>
    encode({
      _: 'liteServer.masterchainInfoExt',
      mode: 0,
      version: 257,
      capabilities: 7n,
      last: fakeBlock(head, network),
      last_utime: 1_700_000_000 + head,
      now: 1_700_000_000 + head,
      state_root_hash: digest(`${network} state ${head}`),
      init: {
        workchain: MASTERCHAIN,
        root_hash: fakeBlock(0, network).root_hash,
        file_hash: fakeBlock(0, network).file_hash,
      },
    })

  return {
    get seqno() {
      return head
    },
    moveTo: (next) => {
      head = next
      for (const wake of [...waiting]) wake()
    },
    reply: async (call, wait) => {
      if (wait && !(await waitFor(wait))) return encodeError(652, 'timeout')
      if (call._ === 'liteServer.getMasterchainInfoExt') return masterchainInfo()
      if (call._ === 'liteServer.getTime') return encode({ _: 'liteServer.currentTime', now: head })
      if (call._ === 'liteServer.sendMessage') return encode({ _: 'liteServer.sendMsgStatus', status: 1 })
      if (call._ !== 'liteServer.lookupBlock') return encodeError(621, 'unknown query')
      if (!archival && call.id.seqno < head - 20) return encodeError(651, 'cannot find block: not in db')
      const header_proof = Buffer.alloc(0)
      return encode({ _: 'liteServer.blockHeader', id: fakeBlock(call.id.seqno, network), mode: 0, header_proof })
    },
  }
}
