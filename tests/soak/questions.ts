import type { LedgerBlock, LedgerTransaction } from './ledger.ts'
import { type Answer, checkMasterchainBlock, compare, type NamedBlock, type Truth } from './truth.ts'

/** A request, and what must hold of an answer to it that is no error. */
export interface Question {
  /** Its kind, for the report. */
  name: string
  path: string
  body?: unknown
  /** Gives what is wrong. */
  judge(answer: Answer): Promise<string | undefined>
}

/** What questions are about. */
export interface Population {
  /** Raw addresses of accounts that have transactions all the time. */
  accounts: readonly string[]
  wallets: readonly string[]
  random: () => number
}

type Make = (truth: Truth, population: Population) => Question | undefined

const V2 = '/api/v2'
const V3 = '/api/v3'

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

const query = (base: string, method: string, params: Record<string, string | number | bigint>): string =>
  `${base}/${method}?${new URLSearchParams(Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]))}`

const resultOf = <T>({ body }: Answer): T => (body as { result: T }).result

/** A masterchain block of the last minute or so that the ledger has. */
const recent = ({ ledger }: Truth, random: () => number): number => {
  const head = ledger.head()
  return Math.max(1, head - Math.floor(random() * Math.min(head, 150)))
}

const recentBlock = (truth: Truth, random: () => number): LedgerBlock | undefined => {
  const seqno = recent(truth, random)
  return pick([...truth.ledger.shards(seqno), truth.ledger.masterchain(seqno)!], random)
}

const placeOf = ({ id }: LedgerBlock) => ({ workchain: id.workchain, shard: id.shard, seqno: id.seqno })

/** A question whose answer cannot change, for which that of the network's own gateway is the truth. */
const settled = (truth: Truth, name: string, path: string): Question => ({
  name,
  path,
  judge: async (answer) => compare(resultOf(answer), await truth.reference(path)),
})

/** A question at the newest block: the answer names it, and must be that of the network's own gateway at it. */
const atNamedBlock = (truth: Truth, name: string, path: string): Question => ({
  name,
  path,
  judge: async (answer) => {
    const found = resultOf<{ block_id: NamedBlock }>(answer)
    const fault = await checkMasterchainBlock(truth, found.block_id)
    return fault ?? compare(found, await truth.reference(`${path}&seqno=${found.block_id.seqno}`))
  },
})

/** The transactions of an account, newest first, that are in masterchain blocks up to this one. */
const upTo = (all: readonly LedgerTransaction[], seqno: number): LedgerTransaction[] =>
  all.filter(({ mc_seqno }) => mc_seqno <= seqno).reverse()

const idsOf = (list: readonly LedgerTransaction[]): string[] => list.map(({ lt, hash }) => `${lt}:${hash}`)

interface V3Transactions {
  transactions: { account: string; lt: string; hash: string }[]
}

const V3_LIMIT = 20
/** What is older than so many blocks every answer must know of. */
const KNOWN_BLOCKS = 100

const indexSeqno = ({ headers }: Answer): number => Number(headers.get('x-index-seqno'))

const MAKERS: readonly Make[] = [
  (truth) => ({
    name: 'v2 getMasterchainInfo',
    path: `${V2}/getMasterchainInfo`,
    judge: (answer) => checkMasterchainBlock(truth, resultOf<{ last: NamedBlock }>(answer).last),
  }),
  (truth, { accounts, random }) =>
    atNamedBlock(
      truth,
      'v2 getAddressInformation',
      query(V2, 'getAddressInformation', { address: pick(accounts, random) }),
    ),
  (truth, { accounts, random }) => {
    const address = pick(accounts, random)
    const path = query(V2, 'getAddressInformation', { address, seqno: recent(truth, random) })
    return settled(truth, 'v2 getAddressInformation at a block', path)
  },
  (truth, { accounts, random }) => {
    const account = pick(accounts, random)
    const limit = 10
    const known = truth.ledger.head() - KNOWN_BLOCKS
    return {
      name: 'v2 getTransactions',
      path: query(V2, 'getTransactions', { address: account, limit }),
      judge: async (answer) => {
        const found = resultOf<{ transaction_id: { lt: string; hash: string } }[]>(answer).map(
          ({ transaction_id: { lt, hash } }) => `${lt}:${hash}`,
        )
        const newest = found[0] && BigInt(found[0].split(':')[0]!)
        for (
          let tries = 0;
          tries < 100 && newest && !truth.ledger.transactionsOf(account).some(({ lt }) => lt === newest);
          tries++
        )
          await Bun.sleep(50)
        const all = truth.ledger.transactionsOf(account).toReversed()
        const old = all.findLast(({ mc_seqno }) => mc_seqno < known)
        if (newest === undefined) return old && `no transaction of ${account}, which had one in block ${old.mc_seqno}`
        const at = all.findIndex(({ lt }) => lt === newest)
        return compare(found, at < 0 ? 'a transaction that the chain has' : idsOf(all.slice(at, at + limit)))
      },
    }
  },
  (truth, { random }) => {
    const block = recentBlock(truth, random)
    if (!block) return undefined
    return {
      name: 'v2 getBlockTransactions',
      path: query(V2, 'getBlockTransactions', { ...placeOf(block), count: 1000 }),
      judge: async (answer) => {
        const { transactions } = resultOf<{ transactions: { lt: string; hash: string }[] }>(answer)
        return compare(
          transactions.map(({ lt, hash }) => `${lt}:${hash}`),
          idsOf(block.transactions),
        )
      },
    }
  },
  (truth, { random }) => settled(truth, 'v2 getShards', query(V2, 'getShards', { seqno: recent(truth, random) })),
  (truth, { random }) => {
    const block = recentBlock(truth, random)
    return block && settled(truth, 'v2 lookupBlock', query(V2, 'lookupBlock', placeOf(block)))
  },
  (truth, { random }) => {
    const block = recentBlock(truth, random)
    return block && settled(truth, 'v2 getBlockHeader', query(V2, 'getBlockHeader', placeOf(block)))
  },
  (truth, { random }) =>
    settled(truth, 'v2 getConfigParam', query(V2, 'getConfigParam', { param: 34, seqno: recent(truth, random) })),
  (truth, { wallets, random }) => {
    const body = { address: pick(wallets, random), method: 'seqno', stack: [] }
    return {
      name: 'v2 runGetMethod',
      path: `${V2}/runGetMethod`,
      body,
      judge: async (answer) => {
        const found = resultOf<{ block_id: NamedBlock }>(answer)
        const fault = await checkMasterchainBlock(truth, found.block_id)
        if (fault) return fault
        return compare(found, await truth.reference(`${V2}/runGetMethod`, { ...body, seqno: found.block_id.seqno }))
      },
    }
  },
  (truth, { accounts, random }) => {
    const account = pick(accounts, random)
    return {
      name: 'v3 transactions',
      path: query(V3, 'transactions', { account, limit: V3_LIMIT, sort: 'desc' }),
      judge: async (answer) => {
        const seqno = indexSeqno(answer)
        if (!(await truth.ledger.reached(seqno))) return `index block ${seqno} is not on the chain`
        const found = (answer.body as V3Transactions).transactions.map(({ lt, hash }) => `${lt}:${hash}`)
        return compare(found, idsOf(upTo(truth.ledger.transactionsOf(account), seqno).slice(0, V3_LIMIT)))
      },
    }
  },
  (truth, { random }) => {
    const seqno = recent(truth, random)
    const { ledger } = truth
    const wanted = [ledger.masterchain(seqno)!, ...ledger.shards(seqno)].flatMap(({ transactions }) => transactions)
    return {
      name: 'v3 transactionsByMasterchainBlock',
      path: query(V3, 'transactionsByMasterchainBlock', { seqno, limit: 1000 }),
      judge: async ({ body }) => {
        const found = (body as V3Transactions).transactions.map(({ lt, hash }) => `${lt}:${hash}`)
        return compare(found.sort(), idsOf(wanted).sort())
      },
    }
  },
  (truth, { accounts, random }) => {
    const address = pick(accounts, random)
    return {
      name: 'v3 accountStates',
      path: query(V3, 'accountStates', { address, include_boc: 'false' }),
      judge: async (answer) => {
        const seqno = indexSeqno(answer)
        if (!(await truth.ledger.reached(seqno))) return `index block ${seqno} is not on the chain`
        const [found] = (answer.body as { accounts: { balance: string; last_transaction_hash: string }[] }).accounts
        const last = upTo(truth.ledger.transactionsOf(address), seqno)[0]
        if (!found || !last) return compare(found, last && 'an account')
        const wanted = (await truth.reference(query(V2, 'getAddressInformation', { address, seqno }))) as {
          balance: string
        }
        return compare([found.balance, found.last_transaction_hash], [wanted.balance, last.hash])
      },
    }
  },
  (truth, { accounts, random }) => {
    const account = pick(accounts, random)
    return {
      name: 'v3 traces',
      path: query(V3, 'traces', { account, limit: 5 }),
      judge: async (answer) => {
        if (!(await truth.ledger.reached(indexSeqno(answer)))) return 'the index is ahead of the chain'
        const { traces } = answer.body as {
          traces: { transactions: Record<string, { account: string; lt: string }> }[]
        }
        for (const [hash, { account, lt }] of traces.flatMap(({ transactions }) => Object.entries(transactions)))
          if (!truth.ledger.transactionsOf(account).some((one) => one.hash === hash && String(one.lt) === lt))
            return `transaction ${hash} of ${account} is not on the chain`
        const none = upTo(truth.ledger.transactionsOf(account), indexSeqno(answer)).length === 0
        return traces.length > 0 || none ? undefined : `no trace of ${account}, which has transactions`
      },
    }
  },
  (truth, { random }) => {
    const seqno = recent(truth, random)
    return {
      name: 'v3 masterchainBlockShardState',
      path: query(V3, 'masterchainBlockShardState', { seqno }),
      judge: async ({ body }) => {
        const wanted = (await truth.reference(query(V2, 'getShards', { seqno }))) as { shards: NamedBlock[] }
        const hashes = (list: readonly NamedBlock[]) =>
          list.filter(({ workchain, seqno }) => workchain === 0 && seqno > 0).map(({ root_hash }) => root_hash)
        return compare(hashes((body as { blocks: NamedBlock[] }).blocks).sort(), hashes(wanted.shards).sort())
      },
    }
  },
  (truth, { random }) => {
    const seqno = recent(truth, random)
    const blocks = [truth.ledger.masterchain(seqno)!, ...truth.ledger.shards(seqno)]
    const wanted = blocks.map(({ id }) => id.root_hash.toString('base64'))
    return {
      name: 'v3 masterchainBlockShards',
      path: query(V3, 'masterchainBlockShards', { seqno }),
      judge: async ({ body }) => {
        const found = (body as { blocks: NamedBlock[] }).blocks.map(({ root_hash }) => root_hash)
        return compare(found.sort(), wanted.sort())
      },
    }
  },
]

/** Draws the next question. */
export const drawQuestion = (truth: Truth, population: Population): Question => {
  for (;;) {
    const question = pick(MAKERS, population.random)(truth, population)
    if (question) return question
  }
}

/** The path of a read that no cache answers: of an account that nobody has asked about. */
export const freshRead = (random: () => number): string => {
  const id = Array.from({ length: 8 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  return query(V2, 'getAddressInformation', { address: `0:${id}` })
}
