import { BOOLEAN, type JsonSchema, object, ref, STRING, typed } from '../json-schema.ts'

const ADDRESS = ref('Address')
const BYTES = ref('Bytes')
const CONTENT = ref('TokenContent')
const DECIMAL = ref('Int256')
const HASH = ref('Hash')
const HEX_HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }

const token = (
  name: string,
  kind: string,
  fields: Record<string, JsonSchema>,
  optional: readonly string[],
): JsonSchema =>
  typed(`ext.tokens.${name}`, { address: ADDRESS, contract_type: { type: 'string', const: kind }, ...fields }, optional)

/** The answers of getTokenData. */
const tokens: Record<string, JsonSchema> = {
  TokenContent: object({
    type: { type: 'string', enum: ['onchain', 'offchain'] },
    data: { oneOf: [STRING, { type: 'object', additionalProperties: STRING }] },
  }),
  SmcAddr: typed('addr_std', { workchain_id: { type: 'integer', format: 'int32' }, address: HEX_HASH }),
  DnsRecord: {
    oneOf: [
      typed('dns_smc_address', { smc_addr: ref('SmcAddr') }),
      typed('dns_next_resolver', { resolver: ref('SmcAddr') }),
      typed('dns_adnl_address', { adnl_addr: HEX_HASH }),
      typed('dns_storage_address', { bag_id: HEX_HASH }),
    ],
  },
  DnsContent: object({
    domain: STRING,
    data: {
      type: 'object',
      description: 'By category: dns_next_resolver, wallet, site, storage, others by their hash in upper-case hex',
      additionalProperties: ref('DnsRecord'),
    },
  }),
  JettonMasterData: token(
    'jettonMasterData',
    'jetton_master',
    {
      total_supply: DECIMAL,
      mintable: BOOLEAN,
      admin_address: ADDRESS,
      jetton_content: CONTENT,
      jetton_wallet_code: BYTES,
    },
    ['admin_address'],
  ),
  JettonWalletData: token(
    'jettonWalletData',
    'jetton_wallet',
    { balance: DECIMAL, owner: ADDRESS, jetton: ADDRESS, mintless_is_claimed: BOOLEAN, jetton_wallet_code: BYTES },
    ['mintless_is_claimed'],
  ),
  NftCollectionData: token(
    'nftCollectionData',
    'nft_collection',
    { next_item_index: DECIMAL, owner_address: ADDRESS, collection_content: CONTENT },
    ['owner_address'],
  ),
  NftItemData: token(
    'nftItemData',
    'nft_item',
    {
      init: BOOLEAN,
      index: DECIMAL,
      collection_address: ADDRESS,
      owner_address: ADDRESS,
      content: { oneOf: [CONTENT, ref('DnsContent')] },
    },
    ['collection_address', 'owner_address'],
  ),
  TokenData: {
    oneOf: ['JettonMasterData', 'JettonWalletData', 'NftCollectionData', 'NftItemData'].map(ref),
  },
}

/** The answers of dnsResolve. */
const dns: Record<string, JsonSchema> = {
  DnsEntryData: {
    oneOf: [
      typed('dns.entryDataUnknown', { bytes: BYTES }),
      typed('dns.entryDataText', { text: STRING }),
      typed('dns.entryDataNextResolver', { resolver: ref('AccountAddress') }),
      typed('dns.entryDataSmcAddress', { smc_address: ref('AccountAddress') }),
      typed('dns.entryDataAdnlAddress', { adnl_address: typed('adnlAddress', { adnl_address: STRING }) }),
      typed('dns.entryDataStorageAddress', { bag_id: HEX_HASH }),
    ],
  },
  DnsEntry: typed('dns.entry', { name: STRING, category: HASH, entry: ref('DnsEntryData') }),
  DnsResolved: typed('dns.resolved', { entries: { type: 'array', items: ref('DnsEntry') } }),
}

export const tokenSchemas: Record<string, JsonSchema> = { ...tokens, ...dns }
