import { hash } from 'node:crypto'
import type { Facts } from '../../model/known-account.ts'
import type { Address } from '../../ton/address.ts'

/** Masters of the jettons that EVAA lends, by the names whose sha256 are the assets' ids; those of a test network second. */
const MASTERS: Readonly<Record<string, readonly [string, string?]>> = {
  jUSDT: [
    '729c13b6df2c07cbf0a06ab63d34af454f3d320ec1bcd8fb5c6d24d0806a17c2',
    '5ee20b5240cc4ce51a4c60baf8c9d358ef617c26463e89c6571b534972c8eef1',
  ],
  jUSDC: [
    '7e30fc2b7751ba58a3642f3fd59d5e96a810ddd78d8a310bfe8353bef10500df',
    'da639c946ad6271de8bbdc706a457fcec7d2cad979d1ed7b8263d3050b620d6d',
  ],
  stTON: [
    'cd872fa7c5816052acdf5332260443faec9aacc8c21cca4d92e7f47034d11892',
    'b70eec37760f24f7cc5fe52ec19bb60e595279416f219b788ba857c97dafe0f6',
  ],
  tsTON: ['bdf3fa8098d129b54b4f73b5bac5d1e1fd91eb054169c3916dfc8ccd536d1000'],
  USDT: ['b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'],
  TONUSDT_DEDUST: ['3e5ffca8ddfcf36c36c9ff46f31562aab51b9914845ad6c26cbde649d58a5588'],
  TON_STORM: ['8d636010dd90d8c0902ac7f9f397d8bd5e177f131ee2cca24ce894f15d19ceea'],
  USDT_STORM: ['aea78c710ae94270dc263a870cf47b4360f53cc5ed38e3db502e9e9afb904b11'],
  CATI: ['fe72f474373e97032441bdb873f9a6d3ad10bab08e6dbc7befa5e42b695f5400'],
  DOGS: ['afc49cb8786f21c87045b19ede78fc6b46c51048513f8e9a6d44060199c1bf0c'],
  NOT: ['2f956143c461769579baef2e32cc2d7bc18283f40d20bb03e432cd603ac33ffc'],
  uTON: ['1f1798f724c2296652e6002bfb51bed11fb5a689532e5788af7203581ef367a8'],
  tgBTC: ['e8cb571401b1aadb9defc1fa0f72a4a5a0e0d5016903067891d763c91541e72b'],
  EUSDT: ['5ee20b5240cc4ce51a4c60baf8c9d358ef617c26463e89c6571b534972c8eef1'],
  USDe: ['086fa2a675f74347b08dd4606a549b8fdb98829cb282bc1949d3b12fbaed9dcc'],
  tsUSDe: ['d0e545323c7acb7102653c073377f7e3c67f122eb94d430a250739f109d4a57d'],
}

const idOf = (name: string): string => hash('sha256', name)

const BY_ID: ReadonlyMap<string, readonly Address[]> = new Map(
  Object.entries(MASTERS).map(([name, masters]) => [
    idOf(name),
    masters.flatMap((master) => (master ? [{ workchain: 0, hash: Buffer.from(master, 'hex') }] : [])),
  ]),
)

const nameOf = (asset_id: bigint): string => asset_id.toString(16).padStart(64, '0')

const TON = idOf('TON')

/** True for the id of TON. */
export const isEvaaTon = (asset_id: bigint): boolean => nameOf(asset_id) === TON

/**
 * What an id of EVAA stands for: a jetton's master, null for TON, undefined where it is unknown. Where networks differ the
 * master that is known to be one is taken, else that of mainnet.
 */
export const evaaAsset = (asset_id: bigint, facts: Facts): Address | null | undefined => {
  if (isEvaaTon(asset_id)) return null
  const masters = BY_ID.get(nameOf(asset_id)) ?? []
  return masters.find((master) => facts(master).jetton_master !== undefined) ?? masters[0]
}
