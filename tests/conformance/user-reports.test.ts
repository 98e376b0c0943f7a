import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rawAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { LIBRARY } from '../../src/ton/cell.ts'
import { type ArchiveGateway, startArchiveGateway } from '../support/archive-gateway.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { recordedMessages } from '../support/recorded-messages.ts'

/** What users of other gateways have reported, asked of this one over the recorded chain, as a wallet would ask. */

const WALLET = '0:c4f8b4a75bbda2c6e7d1436c92984d6d40cec483524f1c1330d91a23f4d74206'
const TOOLBOX = '0:05710757ef8212f1f1fc5bfdcd81b8242682a46b80274964401983ee78819184'
/** Its code is a cell that names a library. */
const LIBRARY_WALLET = '0:4da9d2be51a7cfecea57b405ee7e941d130e2e22cd5c85a7a1f848302c04d64f'
const LIBRARY_HASH = '8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68'
const FROZEN = '0:6f3c4837e501d8def81e9164be270459641e063053cabfcbddd531037f28613e'
const HOLDER = '0:18ad6f93f78e65eb85cb444b01d20678a92f8836f7a6765badc400780bf27df1'
const UNUSED = `0:${'00'.repeat(31)}aa`
const ELECTOR = `-1:${'3'.repeat(64)}`
const BASECHAIN = { workchain: 0, shard: '-9223372036854775808' }

let gateway: ArchiveGateway
beforeAll(async () => {
  gateway = await startArchiveGateway()
})
afterAll(() => gateway.stop())

interface Answer {
  status: number
  ok: boolean
  result?: unknown
  error?: string
  text: string
}

const ask = async (request: Request): Promise<Answer> => {
  const response = await gateway.fetch(request)
  const text = await response.text()
  return { ...JSON.parse(text), status: response.status, text }
}
const get = (path: string): Promise<Answer> => ask(new Request(`http://localhost/api/v2/${path}`))
const post = (method: string, body: unknown): Promise<Answer> =>
  ask(new Request(`http://localhost/api/v2/${method}`, { method: 'POST', body: JSON.stringify(body) }))
const run = (address: string, method: string | number, more: object = {}): Promise<Answer> =>
  post('runGetMethod', { address, method, stack: [], ...more })

/** What stands at a dotted path. */
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
const transactionsOf = ({ result }: Answer) =>
  result as { transaction_id: { lt: string; hash: string }; data: string }[]
const bocAt = (answer: Answer, path: string) => parseBocRoot(Buffer.from(String(at(answer, path)), 'base64'))

describe('addresses (1.1)', () => {
  const FORMS = [
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
    '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
    '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  ] as const

  test('A2: detectAddress does not swap bounceable and non_bounceable', async () => {
    for (const form of FORMS) {
      const answer = await get(`detectAddress?address=${form}`)
      expect(at(answer, 'result.bounceable.b64')).toBe(FORMS[0])
      expect(at(answer, 'result.non_bounceable.b64')).toBe(FORMS[1])
    }
  })

  test('A3: unpackAddress gives upper-case hex, and refuses what is none', async () => {
    for (const form of FORMS) expect((await get(`unpackAddress?address=${form}`)).result).toBe(FORMS[3])
    for (const bad of ['unpackAddress?address=invalid', 'unpackAddress?address=', 'unpackAddress'])
      expect(await get(bad)).toMatchObject({ status: 422, ok: false })
  })

  test('A4, A5: both alphabets, and a plus that came as it is', async () => {
    const standard = 'EQC9KiqWxNJaOH+MFnUDcTxTAplf9/NahjbSGjsAlglu85Im'
    const forms = [
      standard,
      standard.replace('+', '%2B').replace('/', '%2F'),
      'EQC9KiqWxNJaOH-MFnUDcTxTAplf9_NahjbSGjsAlglu85Im',
    ]
    const raw = new Set<unknown>()
    for (const form of forms) raw.add((await get(`unpackAddress?address=${form}`)).result)
    raw.add((await post('unpackAddress', { address: standard })).result)
    expect(raw).toEqual(new Set([expect.stringMatching(/^0:[0-9A-F]{64}$/)]))
  })
})

describe('numbers (1.2)', () => {
  test('N2: a seqno on the stack is hex with 0x', async () => {
    expect(at(await run(WALLET, 'seqno'), 'result.stack')).toEqual([['num', '0x4']])
  })

  test('N4, Z3, Z4: an account that was never used has the balance "0" and no error', async () => {
    for (const address of [UNUSED, `0:${'0'.repeat(64)}`]) {
      expect((await get(`getAddressBalance?address=${address}`)).result).toBe('0')
      expect((await get(`getAddressState?address=${address}`)).result).toBe('uninitialized')
      const { status, result } = await get(`getAddressInformation?address=${address}`)
      expect(status).toBe(200)
      expect(result).toMatchObject({ state: 'uninitialized', balance: '0', code: '', data: '' })
    }
  })

  test('N6, N10: integers as texts, and as numbers that no double holds', async () => {
    const asText = await post('getTransactions', { address: WALLET, limit: '3' })
    expect(asText.result).toEqual((await post('getTransactions', { address: WALLET, limit: 3 })).result)
    const [, second] = transactionsOf(asText)
    const { lt, hash } = second!.transaction_id
    const body = `{"address":"${WALLET}","limit":1,"lt":${lt},"hash":"${hash}","to_lt":9007199254740993}`
    const request = new Request('http://localhost/api/v2/getTransactions', { method: 'POST', body })
    expect((await ask(request)).status).toBe(200)
  })

  test('N7: a wallet that is not deployed has no seqno, rather than none that is a number', async () => {
    expect((await get(`getWalletInformation?address=${UNUSED}`)).result).not.toHaveProperty('seqno')
  })
})

describe('places in the chain (1.3, 1.4)', () => {
  test('S1: a get-method runs at the block that was asked for', async () => {
    const [early, late] = await Promise.all([run(WALLET, 'seqno', { seqno: 25 }), run(WALLET, 'seqno', { seqno: 359 })])
    expect([at(early, 'result.block_id.seqno'), at(late, 'result.block_id.seqno')]).toEqual([25, 359])
    expect(at(early, 'result.stack')).not.toEqual(at(late, 'result.stack'))
  })

  test('S2, S5: exactly one of seqno, lt and unixtime, where 0 is one', async () => {
    const place = 'lookupBlock?workchain=-1&shard=-9223372036854775808'
    expect(await get(place)).toMatchObject({ status: 422 })
    expect(await get(`${place}&seqno=5&lt=1000`)).toMatchObject({ status: 422 })
    expect(await get(`${place}&seqno=invalid`)).toMatchObject({ status: 422 })
    expect(await get(`${place}&seqno=0`)).toMatchObject({ status: 422, error: 'seqno should be positive' })
    expect(await get(`${place}&seqno=10360`)).toMatchObject({ status: 500, ok: false })
    expect(at(await get(`${place}&seqno=5`), 'result.seqno')).toBe(5)
  })

  test('S3: lt=0 is no lt', async () => {
    const without = await get(`getTransactions?address=${WALLET}&limit=2`)
    expect((await get(`getTransactions?address=${WALLET}&limit=2&lt=0`)).result).toEqual(without.result)
  })

  test('S6: param or config_id, either of them', async () => {
    const { result } = await get('getConfigParam?param=17')
    expect((await get('getConfigParam?config_id=17')).result).toEqual(result)
    for (const query of ['', '?param=17&config_id=17']) expect((await get(`getConfigParam${query}`)).status).toBe(422)
  })

  test('S7: what TonClient sends and nobody knows is no error', async () => {
    expect((await get(`getTransactions?address=${WALLET}&inclusive=true&limit=1`)).status).toBe(200)
  })

  test('P1: pages of a block leave out and repeat nothing', async () => {
    const path = `workchain=0&shard=${BASECHAIN.shard}&seqno=9`
    const whole = await get(`getBlockTransactions?${path}&count=1000`)
    const all = at(whole, 'result.transactions') as { account: string; lt: string; hash: string }[]
    expect(all.length).toBeGreaterThan(20)
    const paged: typeof all = []
    for (let isMore = true; isMore; ) {
      const last = paged.at(-1)
      const after = last ? `&after_lt=${last.lt}&after_hash=${last.account.split(':')[1]}` : ''
      const page = await get(`getBlockTransactions?${path}&count=7${after}`)
      paged.push(...(at(page, 'result.transactions') as typeof all))
      isMore = at(page, 'result.incomplete') === true
    }
    expect(paged).toEqual(all)
  })

  test('P2, P5, P6: a page starts with the transaction that was named, and is as long as was asked', async () => {
    const all = transactionsOf(await get(`getTransactions?address=${WALLET}&limit=100`))
    expect(all).toHaveLength(61)
    const { lt, hash } = all[5]!.transaction_id
    const page = await get(`getTransactions?address=${WALLET}&limit=40&lt=${lt}&hash=${encodeURIComponent(hash)}`)
    expect(transactionsOf(page)).toEqual(all.slice(5, 45))
  })

  test('P3: lt without hash, and too long a page, are refused', async () => {
    const refused = await get(`getTransactions?address=${WALLET}&lt=35000001`)
    expect(refused).toMatchObject({ status: 422, error: 'lt and hash should be used together' })
    expect((await get(`getTransactions?address=${WALLET}&limit=1001`)).status).toBe(422)
    const block = `workchain=0&shard=${BASECHAIN.shard}&seqno=9`
    expect((await get(`getBlockTransactions?${block}&count=10001`)).status).toBe(422)
  })
})

describe('hashes (1.5)', () => {
  const HEX = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'
  const BASE64 = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='

  test('H2: detectHash takes hex and base64, padded or URL-safe', async () => {
    const urlSafe = BASE64.replaceAll('+', '-').replaceAll('/', '_')
    for (const form of [BASE64, urlSafe, urlSafe.replace('=', ''), HEX, HEX.toUpperCase()]) {
      const { status, result } = await get(`detectHash?hash=${encodeURIComponent(form)}`)
      expect([form, status]).toEqual([form, 200])
      expect(result).toMatchObject({ b64: BASE64 })
    }
    for (const bad of [BASE64.replace('=', ''), 'not a hash', ''])
      expect((await get(`detectHash?hash=${encodeURIComponent(bad)}`)).status).toBe(422)
  })

  test('H1, H6, H7: one transaction in every form of its hash, a raw plus too; junk is 422', async () => {
    const { lt, hash } = transactionsOf(await get(`getTransactions?address=${WALLET}&limit=40`))
      .map(({ transaction_id }) => transaction_id)
      .find((id) => id.hash.includes('+'))!
    const hex = Buffer.from(hash, 'base64').toString('hex')
    for (const form of [
      hash,
      encodeURIComponent(hash),
      hex,
      hex.toUpperCase(),
      Buffer.from(hex, 'hex').toString('base64url'),
    ]) {
      const page = await get(`getTransactions?address=${WALLET}&limit=1&lt=${lt}&hash=${form}`)
      expect(transactionsOf(page)[0]!.transaction_id).toMatchObject({ lt, hash })
    }
    expect((await get(`getTransactions?address=${WALLET}&lt=1&hash=junk`)).status).toBe(422)
  })

  test('H5: no answer that is one has the key error', async () => {
    for (const path of [
      `getTransactions?address=${WALLET}`,
      'getMasterchainInfo',
      `getTokenData?address=${LIBRARY_WALLET}`,
    ])
      expect((await get(path)).text).not.toContain('"error"')
  })
})

describe('JSON-RPC (1.10)', () => {
  test('J1: the envelope of both worlds', async () => {
    const answer = await post('jsonRPC', { jsonrpc: '2.0', id: 7, method: 'getMasterchainInfo', params: {} })
    expect(answer).toMatchObject({ ok: true, jsonrpc: '2.0', id: 7, result: { '@type': 'blocks.masterchainInfo' } })
  })

  test('J2, J3: GET is 405 in JSON; params are an object', async () => {
    expect(await get('jsonRPC')).toMatchObject({ status: 405, ok: false })
    const call = { jsonrpc: '2.0', id: '1', method: 'getMasterchainInfo' }
    expect(await post('jsonRPC', { ...call, params: [] })).toMatchObject({ status: 200, ok: true })
    const refused = await post('jsonRPC', { ...call, params: [1] })
    expect(refused).toMatchObject({ status: 422, error: expect.stringContaining('params must contain an object') })
  })
})

describe('get-methods (1.11)', () => {
  test('G2, X1: a wallet whose code is a library runs, and its code is given as it is', async () => {
    const stack = at(await run(LIBRARY_WALLET, 'get_wallet_data'), 'result.stack') as [string, unknown][]
    expect(stack.map(([type]) => type)).toEqual(['num', 'cell', 'cell', 'cell'])
    const information = await get(`getAddressInformation?address=${LIBRARY_WALLET}`)
    const code = bocAt(information, 'result.code')
    expect([code.type, code.bits]).toEqual([LIBRARY, 264])
  })

  test('G4, G5: null is an empty list; lists are no error', async () => {
    expect(at(await run(TOOLBOX, 'nul'), 'result.stack')).toEqual([['list', { '@type': 'tvm.list', elements: [] }]])
    expect(await run(ELECTOR, 'participant_list')).toMatchObject({ status: 200, result: { exit_code: 0 } })
  })

  test('G6, G14: no code is -13, no such method is 11; both are answers', async () => {
    for (const address of [UNUSED, FROZEN, `0:${'0'.repeat(64)}`])
      expect(await run(address, 'seqno')).toMatchObject({ status: 200, ok: true, result: { exit_code: -13 } })
    expect(await run(TOOLBOX, 'no_such_method')).toMatchObject({ status: 200, ok: true, result: { exit_code: 11 } })
  })

  test('G7, G8, G9: a stack that is missing, too deep, of an unknown type, and a bad number', async () => {
    const { status } = await post('runGetMethod', { address: WALLET, method: 'seqno' })
    expect([200, 422]).toContain(status)
    let deep: unknown = { '@type': 'tvm.tuple', elements: [] }
    for (let i = 0; i < 257; i++)
      deep = { '@type': 'tvm.tuple', elements: [{ '@type': 'tvm.stackEntryTuple', tuple: deep }] }
    expect((await run(WALLET, 'seqno', { stack: [['tuple', deep]] })).status).toBe(422)
    expect((await run(WALLET, 'seqno', { stack: [['continuation', 'x']] })).status).toBe(542)
    expect((await run(WALLET, 'seqno', { stack: [['num', 'x']] })).status).toBe(422)
  })

  test('G11: the typed method gives the same number as a decimal', async () => {
    const legacy = at(await run(WALLET, 'get_public_key'), 'result.stack.0.1') as string
    const typed = await post('runGetMethodStd', { address: WALLET, method: 'get_public_key', stack: [] })
    expect(at(typed, 'result.stack.0.number.number')).toBe(BigInt(legacy).toString())
  })

  test('G15, G17: more gas than a liteserver gives; a method by its number', async () => {
    const endless = await run(TOOLBOX, 'inf')
    expect(at(endless, 'result.exit_code')).toBe(-14)
    expect(at(endless, 'result.gas_used')).toBeGreaterThan(1_000_000)
    expect(at(await run(WALLET, 85143), 'result.stack')).toEqual(at(await run(WALLET, 'seqno'), 'result.stack'))
  })

  test('G16: block and last transaction are of one moment', async () => {
    const answer = await run(WALLET, 'seqno', { seqno: 60 })
    const account = await get(`getAddressInformation?address=${WALLET}&seqno=60`)
    expect(at(answer, 'result.last_transaction_id')).toEqual(at(account, 'result.last_transaction_id'))
    expect(at(answer, 'result.block_id')).toEqual(at(account, 'result.block_id'))
  })

  test('G18: no, one and two arguments', async () => {
    expect(
      at(
        await run(TOOLBOX, 'add', {
          stack: [
            ['num', 40],
            ['num', '2'],
          ],
        }),
        'result.stack',
      ),
    ).toEqual([['num', '0x2a']])
    expect(at(await run(TOOLBOX, 'conf', { stack: [['num', '0x11']] }), 'result.exit_code')).toBe(0)
    expect(at(await run(TOOLBOX, 'add'), 'result.exit_code')).toBe(2)
  })
})

describe('messages (1.14, 1.15)', () => {
  test('M1: the hash of an incoming message is that of its cell', async () => {
    const [{ transaction }] = [
      recordedMessages().find(({ receiver }) => receiver?.transaction.account.workchain === 0)!.receiver!,
    ]
    const { account, id, in_msg } = transaction
    const query = `address=${rawAddress(account)}&lt=${id.lt}&hash=${id.hash.toString('hex')}&limit=1`
    const page = await get(`getTransactions?${query}`)
    expect(at(page, 'result.0.in_msg.hash')).toBe(in_msg!.hash.toString('base64'))
  })
})

describe('libraries, extra currencies, frozen accounts (1.18 to 1.20)', () => {
  test('X3: a library by any form of its hash', async () => {
    const hash = Buffer.from(LIBRARY_HASH, 'hex')
    for (const form of [
      LIBRARY_HASH,
      LIBRARY_HASH.toUpperCase(),
      encodeURIComponent(hash.toString('base64')),
      hash.toString('base64url'),
    ]) {
      const answer = await get(`getLibraries?libraries=${form}`)
      expect(bocAt(answer, 'result.result.0.data').hash().toString('hex')).toBe(LIBRARY_HASH)
    }
  })

  test('XC1: extra currencies are listed with exact amounts; without any the list is empty', async () => {
    const held = at(await get(`getAddressInformation?address=${HOLDER}`), 'result.extra_currencies') as Record<
      string,
      unknown
    >[]
    expect(held.length).toBeGreaterThan(0)
    for (const { id, amount, ...rest } of held) {
      expect(rest).toEqual({ '@type': 'extraCurrency' })
      expect(id).toBeTypeOf('number')
      expect(amount).toMatch(/^[1-9][0-9]*$/)
    }
    expect(at(await get(`getAddressInformation?address=${UNUSED}`), 'result.extra_currencies')).toEqual([])
  })

  test('Z1: a frozen account says so, with the hash of what was frozen', async () => {
    expect((await get(`getAddressState?address=${FROZEN}`)).result).toBe('frozen')
    const information = await get(`getAddressInformation?address=${FROZEN}`)
    expect(at(information, 'result.state')).toBe('frozen')
    expect(at(information, 'result.frozen_hash')).toMatch(/^[\w+/]{43}=$/)
  })

  test('Z6: the balance is that of the account at the same block', async () => {
    const seqno = recordedChain().last - 200
    const balance = await get(`getAddressBalance?address=${WALLET}&seqno=${seqno}`)
    const information = await get(`getAddressInformation?address=${WALLET}&seqno=${seqno}`)
    expect(balance.result).toBe(at(information, 'result.balance'))
  })
})
