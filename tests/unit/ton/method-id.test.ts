import { expect, test } from 'bun:test'
import { methodId } from '../../../src/ton/method-id.ts'

test('names have the ids of contracts/v2.md 23', () => {
  const known: Record<string, number> = {
    seqno: 85143,
    get_public_key: 78748,
    get_subwallet_id: 81467,
    wallet_id: 80113,
    get_jetton_data: 106029,
    get_wallet_data: 97026,
    get_wallet_address: 103289,
    get_collection_data: 102491,
    get_nft_data: 102351,
    get_nft_address_by_index: 92067,
    get_nft_content: 68445,
    dnsresolve: 123660,
    get_domain: 119378,
    is_claimed: 122284,
  }
  for (const [name, id] of Object.entries(known)) expect(methodId(name)).toBe(id)
})
