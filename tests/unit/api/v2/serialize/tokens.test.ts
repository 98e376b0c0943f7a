import { describe, expect, test } from 'bun:test'
import { type Dialect, render } from '../../../../../src/api/v2/dialect.ts'
import { tokenData } from '../../../../../src/api/v2/serialize/tokens.ts'
import { stringifyJson } from '../../../../../src/common/lossless-json.ts'
import { dnsCategory } from '../../../../../src/contracts/dns-name.ts'
import type { DnsEntry, DnsRecord } from '../../../../../src/model/dns.ts'
import type { NftItem } from '../../../../../src/model/nft.ts'
import type { Token } from '../../../../../src/model/token.ts'
import { friendlyAddress, rawAddressUpper, tryParseAddress } from '../../../../../src/ton/address.ts'
import { beginCell } from '../../../../../src/ton/builder.ts'
import { account } from '../../../../support/fake-contracts.ts'

const HERE = tryParseAddress('UQAg0PQe7Vtjdzqhg8kZ3KRsEkLR-odMhOYi657JP66k8df_')!
const [A, B] = [account(0xab), account(0xcd, -1)]
const CODE = beginCell().endCell()
const BOC = 'te6cckEBAQEAAgAAAEysuc0='
const RAW = '0:20D0F41EED5B63773AA183C919DCA46C1242D1FA874C84E622EB9EC93FAEA4F1'

const textOf = (token: Token, dialect: Dialect = 'toncenter'): string =>
  stringifyJson(render(tokenData(HERE, token), dialect))

describe('token data', () => {
  test('of a jetton master has every digit of the supply', () => {
    const token: Token = {
      _: 'jetton_master',
      total_supply: 102701033769173431754n,
      mintable: true,
      admin_address: B,
      jetton_content: { _: 'onchain', attributes: { decimals: '9', uri: 'https://x' } },
      jetton_wallet_code: CODE,
    }
    expect(textOf(token)).toBe(
      `{"@type":"ext.tokens.jettonMasterData","address":"${RAW}","contract_type":"jetton_master",` +
        `"total_supply":"102701033769173431754","mintable":true,"admin_address":"${friendlyAddress(B)}",` +
        `"jetton_content":{"type":"onchain","data":{"decimals":"9","uri":"https://x"}},"jetton_wallet_code":"${BOC}"}`,
    )
    expect(textOf(token, 'spec')).toContain(`"admin_address":"${rawAddressUpper(B)}"`)
    expect(textOf({ ...token, admin_address: undefined })).not.toContain('admin_address')
  })

  test('of a jetton wallet has mintless_is_claimed only where there is such a thing', () => {
    const token: Token = {
      _: 'jetton_wallet',
      balance: 2n ** 256n - 1n,
      owner: A,
      jetton: B,
      mintless_is_claimed: false,
      jetton_wallet_code: CODE,
    }
    expect(textOf(token)).toBe(
      `{"@type":"ext.tokens.jettonWalletData","address":"${RAW}","contract_type":"jetton_wallet",` +
        `"balance":"${2n ** 256n - 1n}","owner":"${friendlyAddress(A)}","jetton":"${friendlyAddress(B)}",` +
        `"mintless_is_claimed":false,"jetton_wallet_code":"${BOC}"}`,
    )
    expect(textOf({ ...token, mintless_is_claimed: undefined })).not.toContain('mintless')
  })

  test('of an NFT collection', () => {
    const token: Token = {
      _: 'nft_collection',
      next_item_index: -1n,
      owner_address: undefined,
      collection_content: { _: 'offchain', uri: '' },
    }
    expect(textOf(token)).toBe(
      `{"@type":"ext.tokens.nftCollectionData","address":"${RAW}","contract_type":"nft_collection",` +
        '"next_item_index":"-1","collection_content":{"type":"offchain","data":""}}',
    )
    expect(textOf({ ...token, owner_address: A })).toContain(`"next_item_index":"-1","owner_address":"`)
  })

  const item: NftItem = {
    _: 'nft_item',
    init: true,
    index: 2n ** 255n,
    collection_address: A,
    owner_address: B,
    content: { _: 'onchain', attributes: {} },
  }

  test('of an NFT item', () => {
    expect(textOf(item)).toBe(
      `{"@type":"ext.tokens.nftItemData","address":"${RAW}","contract_type":"nft_item","init":true,` +
        `"index":"${2n ** 255n}","collection_address":"${friendlyAddress(A)}","owner_address":"${friendlyAddress(B)}",` +
        '"content":{"type":"onchain","data":{}}}',
    )
    const lonely = textOf({ ...item, collection_address: undefined, owner_address: undefined })
    expect(lonely).toContain(`"index":"${2n ** 255n}","content":`)
  })

  const entry = (name: string, record: DnsRecord): DnsEntry => ({ category: dnsCategory(name), record })
  const contentOf = (...records: DnsEntry[]): string => {
    const text = textOf({ ...item, content: { _: 'domain', domain: 'a.ton', records } })
    return text.slice(text.indexOf('"content":') + '"content":'.length, -1)
  }

  test('of a domain has its records, the named ones last', () => {
    const hash = Buffer.alloc(32, 0x1f)
    const other = dnsCategory('other').toString('hex').toUpperCase()
    const std = (workchain: number, byte: string) =>
      `{"@type":"addr_std","workchain_id":${workchain},"address":"${byte.repeat(32)}"}`
    expect(
      contentOf(
        entry('storage', { _: 'dns_storage_address', bag_id: hash }),
        entry('wallet', { _: 'dns_smc_address', smc_addr: A }),
        entry('dns_next_resolver', { _: 'dns_next_resolver', resolver: B }),
        entry('site', { _: 'dns_adnl_address', adnl_addr: hash }),
        entry('other', { _: 'dns_smc_address', smc_addr: B }),
      ),
    ).toBe(
      `{"domain":"a.ton","data":{"${other}":{"@type":"dns_smc_address","smc_addr":${std(-1, 'cd')}},` +
        `"dns_next_resolver":{"@type":"dns_next_resolver","resolver":${std(-1, 'cd')}},` +
        `"wallet":{"@type":"dns_smc_address","smc_addr":${std(0, 'ab')}},` +
        `"site":{"@type":"dns_adnl_address","adnl_addr":"${'1f'.repeat(32)}"},` +
        `"storage":{"@type":"dns_storage_address","bag_id":"${'1f'.repeat(32)}"}}}`,
    )
  })

  test('of a domain without records that it can show has an empty object', () => {
    expect(contentOf()).toBe('{"domain":"a.ton","data":{}}')
    const text = entry('wallet', { _: 'dns_text', text: 'x' })
    expect(contentOf(text, entry('site', { _: 'unknown', cell: CODE }))).toBe('{"domain":"a.ton","data":{}}')
  })
})
