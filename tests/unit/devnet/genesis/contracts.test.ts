import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mnemonicToPrivateKey, mnemonicValidate } from '@ton/crypto'
import { runTolkCompiler } from '@ton/tolk-js'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import {
  FAUCET_CODE,
  JETTON_MINTER_CODE,
  JETTON_WALLET_CODE,
  NFT_COLLECTION_CODE,
  NFT_ITEM_CODE,
} from '../../../../src/devnet/genesis/codes.ts'
import { mnemonicSeed } from '../../../../src/devnet/genesis/wallet-message.ts'
import { DEV_WALLETS, MASTERCHAIN_WALLET } from '../../../../src/devnet/genesis/wallets.ts'
import { rawAddress } from '../../../../src/ton/address.ts'

setDefaultTimeout(60_000)

const SOURCES = join(import.meta.dir, '../../../../src/devnet/genesis/contracts')

describe('the codes of a new network', () => {
  test('of our own contracts are what their sources compile to', async () => {
    const result = await runTolkCompiler({
      entrypointFileName: 'faucet.tolk',
      fsReadCallback: (path) => readFileSync(join(SOURCES, path), 'utf8'),
    })
    if (result.status === 'error') throw new Error(result.message)
    expect(result.codeHashHex.toLowerCase()).toBe(FAUCET_CODE.hash().toString('hex'))
  })

  test('of tokens are those of @ton-community/assets-sdk 0.0.5', () => {
    const codes = [JETTON_MINTER_CODE, JETTON_WALLET_CODE, NFT_COLLECTION_CODE, NFT_ITEM_CODE]
    expect(codes.map((code) => code.hash().toString('base64'))).toEqual([
      'BXGXbGPsG3VQIwomCdvts24bZO+NAioWs06lcGMYWy8=',
      'p2DWKdU0PnbQRQF9ncIW/IoweoN3gV/rKwpcSQ5zNIY=',
      'ZLstRmG18twag79cu+CekqwLRgobh5pVGThvykw0i8o=',
      'uk2XXStmIxwfCgzMpuj/j3ugYQxLdjlYS46YMD3DEow=',
    ])
  })
})

describe('the wallets of a new network', () => {
  test('are at the addresses that @ton/crypto and @ton/ton make of their words', async () => {
    expect(DEV_WALLETS.map(({ version }) => version)).toEqual([
      ...Array.from({ length: 5 }, () => 'v5r1' as const),
      ...Array.from({ length: 5 }, () => 'v4r2' as const),
    ])
    for (const { version, mnemonic, publicKey, address, init } of DEV_WALLETS) {
      const words = mnemonic.split(' ')
      expect(words.length).toBe(24)
      expect(await mnemonicValidate(words)).toBe(true)
      const key = await mnemonicToPrivateKey(words)
      expect(publicKey.equals(key.publicKey)).toBe(true)
      const wallet =
        version === 'v5r1'
          ? WalletContractV5R1.create({ publicKey: key.publicKey })
          : WalletContractV4.create({ publicKey: key.publicKey, workchain: 0 })
      expect(rawAddress(address)).toBe(wallet.address.toRawString())
      expect(init.code.hash().equals(wallet.init.code.hash())).toBe(true)
      expect(init.data.hash().equals(wallet.init.data.hash())).toBe(true)
    }
  })

  test('have one in the masterchain, by the words of the first v4r2', () => {
    const { publicKey, mnemonic, address } = MASTERCHAIN_WALLET
    expect(mnemonic).toBe(DEV_WALLETS.find(({ version }) => version === 'v4r2')!.mnemonic)
    expect(rawAddress(address)).toBe(WalletContractV4.create({ publicKey, workchain: -1 }).address.toRawString())
  })

  test('have seeds that are made of their words without a package', async () => {
    const { mnemonic } = DEV_WALLETS[0]!
    const { secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '))
    expect(mnemonicSeed(mnemonic).equals(secretKey.subarray(0, 32))).toBe(true)
  })
})
