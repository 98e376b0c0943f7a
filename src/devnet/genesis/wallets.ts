import type { Address } from '../../ton/address.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { type InitialState, initCell } from '../../ton/external-message.ts'
import { WALLET_V4R2_CODE, WALLET_V5R1_CODE } from './codes.ts'
import { GLOBAL_ID } from './global-id.ts'

export type WalletVersion = 'v5r1' | 'v4r2'

/** A wallet that has TON from the first block on. */
export interface DevWallet {
  version: WalletVersion
  /** 24 words, from which wallets and `mnemonicToPrivateKey` of `@ton/crypto` make the key. */
  mnemonic: string
  publicKey: Buffer
  address: Address
  init: InitialState
}

/**
 * Version, public key and words of the ten wallets. The words stand here for everybody to read, as those of other chains'
 * development tools do: whoever sends something of worth to these addresses on another network has lost it.
 */
const ROWS: readonly [version: WalletVersion, publicKey: string, mnemonic: string][] = [
  [
    'v5r1',
    '066437e8feff59092dabc3ff0257fc3d79056a924bb85c505623e03da1db89ae',
    'install dial reward deal resemble choice pulse blood alpha fade catalog polar put hen purchase picture lab secret wine spawn dwarf mom lady oil',
  ],
  [
    'v5r1',
    'c949195bfa06b166ebe2276947511fbf50054b029f19f223af9947492013ff50',
    'stable grab volcano day sting lyrics ladder obtain sight early tribe oxygen tail mimic hat hill extend long crucial edge short transfer prevent color',
  ],
  [
    'v5r1',
    'b2fa9b2cbd9ac685db4d020c0d08010021dc7bd068688ab73c5ba4f51fc36fef',
    'picnic laptop order empower wedding fossil club bachelor often sting cash shop later hold file gain federal expect van diesel ginger rival ask card',
  ],
  [
    'v5r1',
    '465b59db1bf3798bddf7bb7e093ed3224725e07207d129fd6ababa8f18546007',
    'tennis sorry goat museum excite topple tunnel sting vocal endless green total top evil initial soldier average stumble topple add wealth student security father',
  ],
  [
    'v5r1',
    '60660eab88dd056489d354ce21d92ea5303df78fdb9d67d4ec9e713f3d102c7f',
    'obey west change mass wink manage razor unlock leisure prevent rabbit vocal van album fat absurd achieve toy faith fury remind tragic plastic speed',
  ],
  [
    'v4r2',
    'aa7460cecd8013dd01c860c82caa704440d4223ac21a5d33db03e0156aaa8a8a',
    'turtle custom waste rival net element kind steel gravity woman zero evolve three rhythm night uncle remember explain physical decline midnight gorilla hope link',
  ],
  [
    'v4r2',
    '6485b3e98f92657c14ea3d7250541e60b205ee1c07ea7790132ba85f08b09b50',
    'thunder alley denial refuse door page slush law culture art stage enact tower slice knock hill rubber spoon forget theory acoustic over meat clump',
  ],
  [
    'v4r2',
    '92b5c51cb0b27a0e576e176ee47880e4f8f050b237b115653f79586c3357fa3b',
    'endless animal extra divert suit kick near split family dynamic empty celery fall example light child rich charge asset rare crane mirror spike logic',
  ],
  [
    'v4r2',
    'd77488cefc39f05d74440e752a0b1c9bb1a6d05ac955e55b896797a0de3c06cd',
    'color train require regular warrior steel civil number morning glide blur obey gloom despair spread resemble chuckle spice stable obscure chronic member author hat',
  ],
  [
    'v4r2',
    '903d31bf81d6cb4676a7f68198880aafe70fee01a044b16ceeaae4dacb91a271',
    'lecture armor gadget crane quiz text ball cute clump soon segment execute pelican aerobic rough bubble vault suspect used spatial plunge away talent dream',
  ],
]

/** Wallets v4 of `@ton/ton` take this and the workchain for their id where they are given none. */
const V4_WALLET_ID = 698_983_191
/** The context of a wallet v5r1 in the basechain: a client's (1 bit), workchain 0, version 0, subwallet 0. */
const V5R1_CONTEXT = 0x80000000
/** What wallets v5r1 of `@ton/ton` take for their id where they are given none. */
export const V5R1_WALLET_ID = (GLOBAL_ID ^ V5R1_CONTEXT) >>> 0

const v4r2Data = (publicKey: Buffer, workchain: number): Cell =>
  beginCell()
    .uint(0, 32)
    .uint(V4_WALLET_ID + workchain, 32)
    .bytes(publicKey)
    .bit(false)
    .endCell()

const v5r1Data = (publicKey: Buffer): Cell =>
  beginCell().bit(true).uint(0, 32).uint(V5R1_WALLET_ID, 32).bytes(publicKey).bit(false).endCell()

const walletOf = (version: WalletVersion, publicKey: Buffer, mnemonic: string, workchain: number): DevWallet => {
  const init =
    version === 'v5r1'
      ? { code: WALLET_V5R1_CODE, data: v5r1Data(publicKey) }
      : { code: WALLET_V4R2_CODE, data: v4r2Data(publicKey, workchain) }
  return { version, mnemonic, publicKey, address: { workchain, hash: initCell(init).hash() }, init }
}

/** The ten wallets of the basechain, at the addresses that `@ton/ton` gives them without further arguments. */
export const DEV_WALLETS: readonly DevWallet[] = ROWS.map(([version, key, mnemonic]) =>
  walletOf(version, Buffer.from(key, 'hex'), mnemonic, 0),
)

const [, key, mnemonic] = ROWS.find(([version]) => version === 'v4r2')!

/** A wallet of the masterchain, v4r2 by the words of the first one in the basechain: for libraries, and the minter. */
export const MASTERCHAIN_WALLET: DevWallet = walletOf('v4r2', Buffer.from(key, 'hex'), mnemonic, -1)
