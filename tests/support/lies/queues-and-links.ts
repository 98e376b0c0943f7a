import { bag } from '../../../src/devnet/proofs.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import type { Lie } from '../lying-liteserver.ts'
import { neighbour } from './pieces.ts'

/** Another library than the one that is named: here any cell will do. */
const OTHER_CODE = bag(parseBocRoot(Buffer.from('te6cckEBAQEAAgAAAEysuc0=', 'base64')))

/** Lies about message queues, libraries, and the links between masterchain and shard blocks. */
export const LIES_ABOUT_QUEUES_AND_LINKS: readonly Lie[] = [
  {
    name: 'one message more in a queue',
    fate: 'refused',
    tells: { 'liteServer.getBlockOutMsgQueueSize': (honest) => ({ ...honest, size: honest.size + 1n }) },
  },
  {
    name: 'the queue of the block before',
    fate: 'refused',
    tells: {
      'liteServer.getBlockOutMsgQueueSize': async (_, args, ask) => ({
        ...(await ask('liteServer.getBlockOutMsgQueueSize', { ...args, id: neighbour(args.id) })),
        id: args.id,
      }),
    },
  },
  {
    name: 'no such library',
    fate: 'either',
    tells: { 'liteServer.getLibrariesWithProof': (honest) => ({ ...honest, result: [] }) },
  },
  {
    name: 'other code for a library',
    fate: 'either',
    tells: {
      'liteServer.getLibrariesWithProof': (honest) => ({
        ...honest,
        result: honest.result.map(({ hash }) => ({ hash, data: OTHER_CODE })),
      }),
    },
  },
  {
    name: 'a library that does not exist',
    fate: 'refused',
    tells: {
      'liteServer.getLibrariesWithProof': (honest, { library_list }) => ({
        ...honest,
        result: library_list.map((hash) => ({ hash, data: OTHER_CODE })),
      }),
    },
  },
  {
    name: 'a later masterchain block that brought a block in',
    fate: 'refused',
    tells: {
      'liteServer.getShardBlockProof': (honest) => ({
        ...honest,
        masterchain_id: neighbour(honest.masterchain_id, 1),
      }),
    },
  },
  {
    name: 'links without the last one',
    fate: 'refused',
    tells: {
      'liteServer.getShardBlockProof': (honest) =>
        honest.links.length > 0 ? { ...honest, links: honest.links.slice(0, -1) } : undefined,
    },
  },
]
