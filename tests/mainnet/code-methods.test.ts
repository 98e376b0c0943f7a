import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeMethods } from '../../src/contracts/code-methods.ts'
import { interfacesOf } from '../../src/contracts/interfaces.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'

const data = process.env['TONLITH_CHAIN_DATA']

interface ContractCode {
  code_hash_b64: string
  names: string[]
  library_ref: boolean
  boc_base64: string
}

test('published contract codes show their methods, and are of the interfaces of their names', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no published contract code is tried')
  const codes = JSON.parse(readFileSync(join(data, 'accounts', 'contract_codes.json'), 'utf8')) as ContractCode[]
  let readable = 0
  for (const { code_hash_b64, names, library_ref, boc_base64 } of codes) {
    const methods = codeMethods(parseBocRoot(Buffer.from(boc_base64, 'base64')))
    if (library_ref) expect(methods).toBeNull()
    if (methods) {
      readable++
      expect([names, methods]).toEqual([names, [...new Set(methods)].sort((a, b) => a - b)])
    }
    const interfaces = interfacesOf(Buffer.from(code_hash_b64, 'base64'), methods ?? [])
    if (names.some((name) => /jetton.?minter/i.test(name)) && methods) expect(interfaces).toContain('jetton_master')
    if (names.some((name) => /^nft.?item/i.test(name)) && methods)
      expect(interfaces.some((name) => name.startsWith('nft_item'))).toBe(true)
  }
  expect(readable).toBeGreaterThan(20)
})
