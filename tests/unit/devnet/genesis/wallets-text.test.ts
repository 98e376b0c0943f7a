import { expect, test } from 'bun:test'
import { Address } from '@ton/core'
import { DEV_WALLETS } from '../../../../src/devnet/genesis/wallets.ts'
import { walletsText } from '../../../../src/devnet/genesis/wallets-text.ts'
import { rawAddress } from '../../../../src/ton/address.ts'

test('the text at the start has every wallet with its words', () => {
  const lines = walletsText()
  for (const { address, version, mnemonic } of DEV_WALLETS) {
    const at = lines.indexOf(`    ${mnemonic}`)
    const [, shownVersion, shown] = lines[at - 1]!.trim().split(' ')
    expect(shownVersion).toBe(version)
    const { isBounceable, isTestOnly, address: parsed } = Address.parseFriendly(shown!)
    expect({ isBounceable, isTestOnly, raw: parsed.toRawString() }).toEqual({
      isBounceable: false,
      isTestOnly: false,
      raw: rawAddress(address),
    })
  }
  expect(lines[0]).toContain('10,000 TON each')
  for (const what of ['faucet', 'TUSD', 'NFT collection', 'masterchain wallet'])
    expect(lines.filter((line) => line.startsWith(what)).length).toBe(1)
})
