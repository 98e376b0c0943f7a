import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { beginCell } from '../../src/ton/builder.ts'
import { codeOf } from './tvm-code.ts'

/*
 * Questions whose answers the gateway computes itself: with the code and data of accounts, the configuration, libraries and
 * earlier blocks, each of which a liteserver may lie about.
 */

const WALLET = '0:c4f8b4a75bbda2c6e7d1436c92984d6d40cec483524f1c1330d91a23f4d74206'
/** Returns the parameter of the configuration that it is asked for. */
const TOOLBOX = '0:05710757ef8212f1f1fc5bfdcd81b8242682a46b80274964401983ee78819184'
/** Its code is a library. */
const LIBRARY_CODE = '0:096be395577c1e8f6a4da59659c5560b4fa6cc7f06e2a09d036897f6196863f2'
const JETTON_MASTER = '0:f324b1d4635511547aba3e066f12e288ae3350694cb16de5886d29748e5849f3'
/** A stablecoin's wallet: a library's code, and a master that must know it. */
const JETTON_WALLET = '0:4da9d2be51a7cfecea57b405ee7e941d130e2e22cd5c85a7a1f848302c04d64f'
const NFT_ITEM = '0:98b96ff97c2903d5532fe3447f8d2cae0a98c05c8316f771d397f6978e725fee'
const DOMAIN = '0:cccfaa86dd42dbf3cd6165f36385f35c89fe7b22d59e5f3f0ef01663a551f702'
const ELECTOR = `-1:${'3'.repeat(64)}`
const NOBODY = `0:${'a5'.repeat(32)}`

const ACCEPT = 'f800'
const PREV_KEY_BLOCK = 'f83401'
const SECOND = '6f12'
const REPEAT_NOTHING = '9100e4'
/** Burns gas by the seqno of the newest key block: its fee depends on what is said of earlier blocks. */
const GAS_BY_KEY_BLOCK = codeOf(ACCEPT + PREV_KEY_BLOCK + SECOND + REPEAT_NOTHING)

const base64 = (cell: Parameters<typeof cellToBoc>[0]): string => cellToBoc(cell).toString('base64')
const EMPTY = base64(beginCell().endCell())

const post = (method: string, body: object): string => `/api/v2/${method} ${JSON.stringify(body)}`
const run = (address: string, method: string, more: object = {}): string =>
  post('runGetMethod', { address, method, stack: [], ...more })
const tokenData = (address: string): string => `/api/v2/getTokenData?${new URLSearchParams({ address })}`

/** Questions in reach of a head: of each method that runs code, for each thing that the answer depends on. */
export const runQuestions = (head: number): string[] => [
  run(WALLET, 'seqno'),
  run(WALLET, 'seqno', { seqno: head - 300 }),
  run(TOOLBOX, 'conf', { stack: [['num', '0x11']] }),
  run(TOOLBOX, 'conf', { stack: [['num', '0x22']], seqno: head - 280 }),
  run(TOOLBOX, 'bal'),
  run(LIBRARY_CODE, 'counter'),
  run(ELECTOR, 'participant_list_extended', { seqno: head - 4 }),
  run(NOBODY, 'seqno'),
  post('runGetMethodStd', { address: WALLET, method: 'get_public_key', stack: [] }),
  ...[JETTON_MASTER, JETTON_WALLET, NFT_ITEM, DOMAIN].map(tokenData),
  post('estimateFee', { address: WALLET, body: EMPTY }),
  post('estimateFee', { address: NOBODY, body: EMPTY, init_code: base64(GAS_BY_KEY_BLOCK), init_data: EMPTY }),
]
