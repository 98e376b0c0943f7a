import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { friendlyAddress, tryParseAddress } from '../../src/ton/address.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { beginCell } from '../../src/ton/builder.ts'
import { type OpenApi, schemaCheck } from '../support/answer-schema.ts'
import { startV3Gateway, type V3Answer, type V3Gateway } from '../support/v3-gateway.ts'

/** What contracts/v3.md promises of requests and answers, and the requests that wallets really send (clients.md). */

const LAST = 60
const WALLET = '0:066ea63181a955c2e8c9dfaa6163ee3912195bf16ef5f8a0a666e8928059efa4'
const OLD_WALLET = '0:8f2fbec865a3334993f393dbd4695620746469fded25e8f0d570a54b7d93bd82'
const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'
const NOBODY = '0:00000000000000000000000000000000000000000000000000000000000000aa'
const UPPER = WALLET.toUpperCase()

let gateway: V3Gateway
let check: ReturnType<typeof schemaCheck>
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: Array.from({ length: LAST }, (_, i) => i + 1) })
  check = schemaCheck((await gateway.get('openapi.json')).json as unknown as OpenApi)
}, 300_000)
afterAll(() => gateway.stop())

type Row = Record<string, unknown>
const rows = (answer: V3Answer, key: string): Row[] => answer.json[key] as Row[]

const expectSchema = (path: string, { status, json }: V3Answer, verb: 'get' | 'post' = 'get'): void =>
  expect(check(`/api/v3/${path}`, verb, status, json)).toEqual([])

const get = async (path: string): Promise<V3Answer> => {
  const answer = await gateway.get(path)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
  expectSchema(path.split('?')[0]!, answer)
  return answer
}

const refused = async (path: string, status: number, text: string | RegExp): Promise<void> => {
  const answer = await gateway.get(path)
  expect([path, answer.status, answer.json]).toEqual([
    path,
    status,
    { error: typeof text === 'string' ? text : expect.stringMatching(text), code: status },
  ])
}

describe('requests of wallets are answered', () => {
  const someTransaction = async (): Promise<Row> =>
    rows(await get(`transactions?account=${WALLET}&limit=1`), 'transactions')[0]!
  const queries: Record<string, string> = {
    'walletkit: accounts': `accountStates?address=${WALLET}&address=${ELECTOR}&include_boc=true`,
    'walletkit: history': `transactions?account=${WALLET}&limit=10&offset=0`,
    'MyTonWallet: lists at commas': `walletStates?address=${WALLET},${OLD_WALLET}&_=1700000000000`,
    'MyTonWallet: book': `addressBook?address=${WALLET}&address=${ELECTOR}&_=1`,
    'MyTonWallet: since': `transactions?account=${WALLET}&limit=5&start_utime=1&end_utime=4000000000&sort=desc&_=1`,
    'Ledger: history': `transactions?account=${friendlyAddress(tryParseAddress(WALLET)!)}&limit=256&start_lt=1&end_lt=99999999999`,
    'Gem: block': 'transactionsByMasterchainBlock?seqno=20&limit=100&offset=0',
    'array with brackets': `accountStates?address[]=${WALLET}&address[]=${ELECTOR}`,
    'names in any case': `transactions?ACCOUNT=${WALLET}&Limit=3`,
    'traces of an account': `traces?account=${WALLET}&limit=5&offset=0&include_actions=true&supported_action_types=latest`,
    'MyTonWallet: actions': `actions?account=${WALLET}&action_id=&limit=5&start_utime=1&end_utime=4000000000&sort=desc&action_type=ton_transfer,jetton_transfer&exclude_action_type=nft_mint,nft_transfer&_=1`,
    'MyTonWallet: pending actions': `pendingActions?account=${WALLET}&_=1`,
    'MyTonWallet: a pending trace': `pendingTraces?ext_msg_hash=${'0'.repeat(64)}&include_actions=true&_=1`,
    events: `events?account=${WALLET}&limit=2`,
    head: 'masterchainInfo',
    shards: 'masterchainBlockShardState?seqno=20',
    'new blocks': 'masterchainBlockShards?seqno=20&limit=10',
    rich: 'topAccountsByBalance?limit=3',
    'no limit is one': 'blocks?limit=0',
    messages: `messages?source=${WALLET}&limit=5`,
    'messages from outside': 'messages?source=null&limit=5',
    'messages to the outside': 'messages?destination=null&limit=5',
  }
  for (const [name, query] of Object.entries(queries)) test(name, async () => void (await get(query)))

  test('by the hash of a transaction and of a message, in every form', async () => {
    const { hash, in_msg } = await someTransaction()
    const bytes = Buffer.from(String(hash), 'base64')
    const forms = [hash, bytes.toString('hex'), `0x${bytes.toString('hex')}`, `${bytes.toString('base64url')}=`]
    for (const form of [...forms, String(hash).replaceAll('+', ' ')]) {
      const found = await get(`transactions?hash=${encodeURIComponent(String(form))}`)
      expect(rows(found, 'transactions')).toMatchObject([{ hash }])
    }
    const message = encodeURIComponent(String((in_msg as Row)['hash']))
    expect(
      rows(await get(`transactionsByMessage?msg_hash=${message}&body_hash=&direction=in`), 'transactions'),
    ).toMatchObject([{ hash }])
    expect(rows(await get(`messages?hash=${message}`), 'messages')).toMatchObject([{ in_msg_tx_hash: hash }])
    expect(rows(await get(`traces?msg_hash=${message}`), 'traces')).toHaveLength(1)
  })

  test('accounts under their old names', async () => {
    for (const name of ['addressInformation', 'account']) {
      const answer = await gateway.get(`${name}?include_boc=true&address=${WALLET}&seqno=`)
      expectSchema('addressInformation', answer)
      expect(answer.json).toMatchObject({ status: 'active', frozen_hash: null })
    }
    for (const name of ['walletInformation', 'wallet']) {
      const answer = await gateway.get(`${name}?address=${OLD_WALLET}`)
      expectSchema('walletInformation', answer)
      expect(answer.json).toMatchObject({ wallet_type: 'wallet v1 r2', seqno: 2, status: 'active' })
    }
    expect((await gateway.get(`wallet?address=${NOBODY}`)).json).toEqual({
      balance: '0',
      last_transaction_lt: '0',
      last_transaction_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      status: 'uninit',
    })
    await refused(`wallet?address=${ELECTOR}`, 409, 'not a wallet')
  })

  test('get-methods, with arguments', async () => {
    const answer = await gateway.post('runGetMethod', { address: OLD_WALLET, method: 'seqno', stack: [] })
    expectSchema('runGetMethod', answer, 'post')
    expect(answer.json).toMatchObject({ exit_code: 0, stack: [{ type: 'num', value: '0x2' }] })
    const stake = await gateway.post('runGetMethod', {
      address: ELECTOR,
      method: 'compute_returned_stake',
      stack: [{ type: 'num', value: '0x10' }],
    })
    expect(stake.json).toMatchObject({ exit_code: 0, stack: [{ type: 'num', value: '0x0' }] })
  })

  test('traces under their old name, with their actions', async () => {
    const list = async (path: string): Promise<Row[]> => rows(await get(path), path.split('?')[0]!)
    const query = `account=${WALLET}&limit=3`
    expect(await list(`events?${query}`)).toEqual(await list(`traces?${query}&include_actions=true`))
    expect(await list(`events?${query}&include_actions=false`)).toEqual(await list(`traces?${query}`))
  })

  test('at the SDK path alike', async () => {
    const path = `/api/v3/transactions?account=${WALLET}`
    expect((await gateway.ask(`/ton${path}`)).text).toBe((await gateway.ask(path)).text)
  })
})

describe('what cannot be answered is refused with a text that says why', () => {
  const cases: [path: string, status: number, text: string | RegExp][] = [
    ['transactions?limit=1001', 422, 'limit is not allowed: 1001 > 1000'],
    ['transactions?limit=x', 422, /"limit": "x" is not an int32/],
    ['transactions?account=zzz', 422, /index 0 of "account": "zzz" is not an address/],
    [`transactions?account=${WALLET},zzz`, 422, /index 1 of "account": "zzz"/],
    ['transactions?hash=AAAA', 422, /"hash": "AAAA" is not a hash/],
    ['transactions?sort=up', 422, 'wrong value for sort parameter: "up"'],
    ['transactions?acount=1', 422, 'unknown parameter "acount", did you mean "account"?'],
    ['transactions?start_lt=-1', 422, /"start_lt": "-1" is not an unsigned 64-bit number/],
    ['transactions?cursor=!', 422, /"cursor": "!" is not a cursor/],
    ['blocks?shard=1ffffffffffffffff', 422, /is not a shard/],
    ['blocks?start_utime=4294967296', 422, /is not a time/],
    ['messages?opcode=4294967295', 422, /is not an opcode/],
    ['messages?direction=both', 422, /direction should be one of: in, out/],
    ['transactionsByMessage', 422, 'at least one of msg_hash, body_hash, opcode should be specified'],
    [
      `traces?account=${WALLET}&tx_hash=${'0'.repeat(64)}`,
      422,
      'only one of account, trace_id, tx_hash, msg_hash should be specified',
    ],
    ['accountStates', 422, 'address of account is required'],
    ['addressBook', 422, 'at least 1 address required'],
    ['masterchainBlockShards', 422, 'seqno is required'],
    ['addressInformation', 401, 'address of account is required'],
    ['transactions?mc_seqno=5000', 404, `masterchain block 5000 not found, the newest indexed one is ${LAST}`],
    ['traces?mc_seqno=0', 404, `masterchain block 0 not found, indexed are 1-${LAST}`],
    ['masterchainBlockShards?seqno=5000', 404, /^blocks not found: masterchain block 5000 is not indexed/],
    [`adjacentTransactions?hash=${'0'.repeat(64)}`, 404, /^adjacent transactions not found/],
    ['jetton/nothing', 404, 'Not Found'],
    ['nothing', 404, 'Not Found'],
  ]
  for (const [path, status, text] of cases) test(path, () => refused(path, status, text))

  test('bodies', async () => {
    const cases: [string, unknown, number, string | RegExp][] = [
      ['message', {}, 401, 'boc is required'],
      ['message', { boc: 'AAAA' }, 422, /boc/],
      ['runGetMethod', { method: 'seqno' }, 401, 'address is required'],
      ['runGetMethod', { address: WALLET }, 401, 'method is required'],
      [
        'runGetMethod',
        { address: WALLET, method: 'seqno', stack: [{ type: 'tuple', value: [] }] },
        422,
        'unsupported stack parameter type: tuple',
      ],
      ['estimateFee', {}, 401, 'address is required'],
    ]
    for (const [path, body, status, text] of cases) {
      const answer = await gateway.post(path, body)
      expect([path, answer.status, answer.json]).toEqual([
        path,
        status,
        { error: typeof text === 'string' ? text : expect.stringMatching(text), code: status },
      ])
    }
  })

  test('other verbs', async () => {
    const answer = await gateway.ask('/api/v3/transactions', { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

describe('every answer', () => {
  test('tells what it reflects, and what is indexed', async () => {
    for (const path of ['masterchainInfo', 'transactions?limit=5000', 'nothing', `account?address=${WALLET}`]) {
      const { headers } = await gateway.get(path)
      expect([headers.get('x-index-seqno'), headers.get('x-index-range')]).toEqual([String(LAST), `1-${LAST}`])
      expect(headers.get('x-api-version')).toMatch(/^\d+\.\d+\.\d+$/)
    }
  })

  test('waits for the seqno that is asked for, or says 409', async () => {
    await refused(
      `masterchainInfo?min_mc_seqno=${LAST + 100}&x_timeout=100`,
      409,
      `the index has reached ${LAST}, not min_mc_seqno ${LAST + 100}`,
    )
    expect((await gateway.get(`masterchainInfo?min_mc_seqno=${LAST}`)).status).toBe(200)
  })

  test('has no address book when none is wanted', async () => {
    const path = `transactions?account=${WALLET}`
    const [byHeader, byQuery, whole] = await Promise.all([
      gateway.get(path, { 'X-No-Address-Book': 'true' }),
      gateway.get(`${path}&x_no_address_book=1`),
      gateway.get(path),
    ])
    expect(byHeader.json['address_book']).toEqual({})
    expect(byQuery.text).toBe(byHeader.text)
    expect(Object.keys(whole.json['address_book'] as object).length).toBeGreaterThan(0)
  })

  test('has its keys in the order of the reference, and the characters that Go escapes', async () => {
    const { text, json } = await gateway.get(`transactions?account=${WALLET}&limit=1`)
    expect(text.startsWith('{"transactions":[{"account":"0:')).toBe(true)
    expect(Object.keys(rows({ json } as V3Answer, 'transactions')[0]!)).toEqual([
      'account',
      'hash',
      'lt',
      'now',
      'mc_block_seqno',
      'trace_id',
      'prev_trans_hash',
      'prev_trans_lt',
      'orig_status',
      'end_status',
      'total_fees',
      'total_fees_extra_currencies',
      'description',
      'block_ref',
      'in_msg',
      'out_msgs',
      'account_state_before',
      'account_state_after',
      'emulated',
      'finality',
    ])
    expect(text).not.toMatch(/[<>&]/)
  })
})

describe('the address book', () => {
  test('knows wallets, contracts and strangers, under the texts that were sent', async () => {
    const friendly = friendlyAddress(tryParseAddress(WALLET)!)
    const { json } = await get(`addressBook?address=${friendly}&address=${ELECTOR}&address=${NOBODY}&address=bad`)
    const unbounceable = { bounceable: false, testOnly: false }
    expect(json).toEqual({
      [ELECTOR]: {
        user_friendly: friendlyAddress(tryParseAddress(ELECTOR)!),
        domain: null,
        interfaces: expect.any(Array),
      },
      [NOBODY]: {
        user_friendly: friendlyAddress(tryParseAddress(NOBODY)!, unbounceable),
        domain: null,
        interfaces: [],
      },
      [friendly]: {
        user_friendly: friendlyAddress(tryParseAddress(WALLET)!, unbounceable),
        domain: null,
        interfaces: [expect.stringMatching(/^wallet_v/)],
      },
      bad: { user_friendly: null, domain: null, interfaces: [] },
    })
  })

  test('names the accounts of a list in the raw form', async () => {
    const { json } = await get(`accountStates?address=${WALLET}&address=${NOBODY}&include_boc=false`)
    expect(Object.keys(json['address_book'] as object)).toEqual([NOBODY.toUpperCase(), UPPER])
    expect(rows({ json } as V3Answer, 'accounts').map(({ address, data_boc }) => [address, data_boc])).toEqual([
      [UPPER, undefined],
    ])
  })
})

describe('a text comment', () => {
  test('is decoded where deposits are looked for', async () => {
    const messages = rows(await get('messages?opcode=0x00000000&limit=1000'), 'messages')
    const contents = messages.map(({ message_content }) => message_content as { decoded: Row | null })
    expect(contents.map(({ decoded }) => decoded)).toContainEqual({
      '@type': 'text_comment',
      comment: 'second from v1r2',
      type: 'text_comment',
    })
    expect(new Set(messages.map(({ decoded_opcode }) => decoded_opcode))).toEqual(new Set(['text_comment']))
  })
})

describe('decode', () => {
  const EXCESS = beginCell().uint(0xd53276db, 32).uint(7, 64).endCell()
  const decode = async (query: string): Promise<Row> => (await get(`decode?${query}`)).json

  test('names opcodes in any form, in the order in which they were sent', async () => {
    const { opcodes, bodies } = await decode('opcodes=0x0f8a7ea5&opcodes=178d4519,0xffffffff,-1,12345678,4294967295')
    expect(opcodes).toEqual(['jetton_transfer', 'jetton_internal_transfer', 'bounce', 'bounce', 'unknown', 'bounce'])
    expect(bodies).toEqual([])
  })

  test('tells what bodies say, in base64 or hex, and why it cannot', async () => {
    const boc = cellToBoc(EXCESS)
    const none = cellToBoc(beginCell().uint(0x12345678, 32).endCell()).toString('hex')
    const empty = cellToBoc(beginCell().endCell()).toString('base64')
    const short = cellToBoc(beginCell().uint(1, 8).endCell()).toString('hex')
    const bodies = [boc.toString('base64'), boc.toString('hex'), none, empty, short, 'zz', 'te6!', 'te6ccg', 'b5ee']
    const answer = await gateway.post('decode', { bodies })
    expectSchema('decode', answer, 'post')
    const excess = { '@type': 'excess', query_id: '7' }
    expect(answer.json).toEqual({
      opcodes: [],
      bodies: [
        excess,
        excess,
        { error: 'unknown: no parser succeeded' },
        { '@type': 'empty_cell' },
        { error: 'unknown: boc is too small, size 8' },
        { error: expect.stringMatching(/^unknown: failed to decode hex: /) },
        { error: expect.stringMatching(/^unknown: failed to decode base64: /) },
        { error: expect.stringMatching(/^unknown: failed to deserialize boc: /) },
        { error: expect.stringMatching(/^unknown: failed to deserialize boc: /) },
      ],
    })
    expect(await decode(`bodies=${boc.toString('base64')}&bodies=${none}`)).toEqual({
      opcodes: [],
      bodies: [excess, { error: 'unknown: no parser succeeded' }],
    })
  })

  test('keeps the text of a comment under text', async () => {
    const body = cellToBoc(beginCell().uint(0, 32).bytes(Buffer.from('a<b')).endCell()).toString('hex')
    const { text } = await gateway.get(`decode?bodies=${body}`)
    expect(text).toBe('{"opcodes":[],"bodies":[{"@type":"text_comment","text":"a\\u003cb"}]}')
  })

  test('refuses opcodes that are none, and lists that are too long', async () => {
    await refused('decode?opcodes=0x1&opcodes=0xzz', 422, 'invalid opcode format at index 1: zz')
    await refused('decode?opcodes=fffffffff', 422, 'invalid opcode format at index 0: fffffffff')
    await refused(`decode?opcodes=${'1,'.repeat(1001)}`, 422, 'opcodes list exceeds maximum length of 1000')
    const bodies = Array.from({ length: 1001 }, () => 'te6')
    const { status, json } = await gateway.post('decode', { bodies })
    expect([status, json.error]).toEqual([422, 'bodies list exceeds maximum length of 1000'])
    expect((await gateway.post('decode', { opcodes: 'x' })).status).toBe(422)
  })
})
