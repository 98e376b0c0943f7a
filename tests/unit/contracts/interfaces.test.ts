import { describe, expect, test } from 'bun:test'
import { interfacesOf } from '../../../src/contracts/interfaces.ts'
import { methodId } from '../../../src/ton/method-id.ts'

const WALLET_V4 = Buffer.from('/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'base64')
const NOBODYS = Buffer.alloc(32, 1)

describe('the interfaces of a contract', () => {
  test('are the one of its code, whatever methods it has', () => {
    expect(interfacesOf(WALLET_V4, [methodId('get_nft_data')])).toEqual(['wallet_v4r2'])
  })
  test('are else all whose methods it has', () => {
    const ids = ['get_nft_data', 'get_editor', 'get_authority_address', 'get_jetton_data'].map(methodId)
    expect(interfacesOf(NOBODYS, ids)).toEqual(['editable', 'nft_item', 'sbt'])
    expect(interfacesOf(NOBODYS, [...ids, methodId('get_wallet_address')])).toContain('jetton_master')
    expect(interfacesOf(NOBODYS, [])).toEqual([])
  })
})
