import type { Constructor } from './constructor.ts'

/** The questions that a liteserver answers; `type` is the type of the answer. */
export const LITE_SERVER_FUNCTIONS = {
  'liteServer.getMasterchainInfo': { id: 0x89b5e62e, fields: {}, type: 'liteServer.MasterchainInfo' },
  'liteServer.getMasterchainInfoExt': { id: 0x70a671df, fields: { mode: '#' }, type: 'liteServer.MasterchainInfoExt' },
  'liteServer.getTime': { id: 0x16ad5a34, fields: {}, type: 'liteServer.CurrentTime' },
  'liteServer.getVersion': { id: 0x232b940b, fields: {}, type: 'liteServer.Version' },
  'liteServer.getBlock': { id: 0x6377cf0d, fields: { id: 'tonNode.blockIdExt' }, type: 'liteServer.BlockData' },
  'liteServer.getState': { id: 0xba6e2eb6, fields: { id: 'tonNode.blockIdExt' }, type: 'liteServer.BlockState' },
  'liteServer.getBlockHeader': {
    id: 0x21ec069e,
    fields: { id: 'tonNode.blockIdExt', mode: '#' },
    type: 'liteServer.BlockHeader',
  },
  'liteServer.sendMessage': { id: 0x690ad482, fields: { body: 'bytes' }, type: 'liteServer.SendMsgStatus' },
  'liteServer.getAccountState': {
    id: 0x6b890e25,
    fields: { id: 'tonNode.blockIdExt', account: 'liteServer.accountId' },
    type: 'liteServer.AccountState',
  },
  'liteServer.getAccountStatePrunned': {
    id: 0x5a698507,
    fields: { id: 'tonNode.blockIdExt', account: 'liteServer.accountId' },
    type: 'liteServer.AccountState',
  },
  'liteServer.runSmcMethod': {
    id: 0x5cc65dd2,
    fields: {
      mode: '#',
      id: 'tonNode.blockIdExt',
      account: 'liteServer.accountId',
      method_id: 'long',
      params: 'bytes',
    },
    type: 'liteServer.RunMethodResult',
  },
  'liteServer.getShardInfo': {
    id: 0x46a2f425,
    fields: { id: 'tonNode.blockIdExt', workchain: 'int', shard: 'long', exact: 'Bool' },
    type: 'liteServer.ShardInfo',
  },
  'liteServer.getAllShardsInfo': {
    id: 0x74d3fd6b,
    fields: { id: 'tonNode.blockIdExt' },
    type: 'liteServer.AllShardsInfo',
  },
  'liteServer.getOneTransaction': {
    id: 0xd40f24ea,
    fields: { id: 'tonNode.blockIdExt', account: 'liteServer.accountId', lt: 'long' },
    type: 'liteServer.TransactionInfo',
  },
  'liteServer.getTransactions': {
    id: 0x1c40e7a1,
    fields: { count: '#', account: 'liteServer.accountId', lt: 'long', hash: 'int256' },
    type: 'liteServer.TransactionList',
  },
  'liteServer.lookupBlock': {
    id: 0xfac8f71e,
    fields: { mode: '#', id: 'tonNode.blockId', lt: 'mode.1?long', utime: 'mode.2?int' },
    type: 'liteServer.BlockHeader',
  },
  'liteServer.lookupBlockWithProof': {
    id: 0x9c045ff8,
    fields: {
      mode: '#',
      id: 'tonNode.blockId',
      mc_block_id: 'tonNode.blockIdExt',
      lt: 'mode.1?long',
      utime: 'mode.2?int',
    },
    type: 'liteServer.LookupBlockResult',
  },
  'liteServer.listBlockTransactions': {
    id: 0xadfcc7da,
    fields: {
      id: 'tonNode.blockIdExt',
      mode: '#',
      count: '#',
      after: 'mode.7?liteServer.transactionId3',
      reverse_order: 'mode.6?true',
      want_proof: 'mode.5?true',
    },
    type: 'liteServer.BlockTransactions',
  },
  'liteServer.listBlockTransactionsExt': {
    id: 0x0079dd5c,
    fields: {
      id: 'tonNode.blockIdExt',
      mode: '#',
      count: '#',
      after: 'mode.7?liteServer.transactionId3',
      reverse_order: 'mode.6?true',
      want_proof: 'mode.5?true',
    },
    type: 'liteServer.BlockTransactionsExt',
  },
  'liteServer.getBlockProof': {
    id: 0x8aea9c44,
    fields: { mode: '#', known_block: 'tonNode.blockIdExt', target_block: 'mode.0?tonNode.blockIdExt' },
    type: 'liteServer.PartialBlockProof',
  },
  'liteServer.getConfigAll': {
    id: 0x911b26b7,
    fields: { mode: '#', id: 'tonNode.blockIdExt' },
    type: 'liteServer.ConfigInfo',
  },
  'liteServer.getConfigParams': {
    id: 0x2a111c19,
    fields: { mode: '#', id: 'tonNode.blockIdExt', param_list: 'vector int' },
    type: 'liteServer.ConfigInfo',
  },
  'liteServer.getValidatorStats': {
    id: 0x091a58bc,
    explicit: true,
    fields: {
      mode: '#',
      id: 'tonNode.blockIdExt',
      limit: 'int',
      start_after: 'mode.0?int256',
      modified_after: 'mode.2?int',
    },
    type: 'liteServer.ValidatorStats',
  },
  'liteServer.getLibraries': {
    id: 0xd122b662,
    fields: { library_list: 'vector int256' },
    type: 'liteServer.LibraryResult',
  },
  'liteServer.getLibrariesWithProof': {
    id: 0xd97693bd,
    fields: { id: 'tonNode.blockIdExt', mode: '#', library_list: 'vector int256' },
    type: 'liteServer.LibraryResultWithProof',
  },
  'liteServer.getShardBlockProof': {
    id: 0x4ca60350,
    fields: { id: 'tonNode.blockIdExt' },
    type: 'liteServer.ShardBlockProof',
  },
  'liteServer.getOutMsgQueueSizes': {
    id: 0x7bc19c36,
    fields: { mode: '#', wc: 'mode.0?int', shard: 'mode.0?long' },
    type: 'liteServer.OutMsgQueueSizes',
  },
  'liteServer.getBlockOutMsgQueueSize': {
    id: 0x8f6c7779,
    fields: { mode: '#', id: 'tonNode.blockIdExt', want_proof: 'mode.0?true' },
    type: 'liteServer.BlockOutMsgQueueSize',
  },
  'liteServer.getDispatchQueueInfo': {
    id: 0x01e66bf3,
    fields: {
      mode: '#',
      id: 'tonNode.blockIdExt',
      after_addr: 'mode.1?int256',
      max_accounts: 'int',
      want_proof: 'mode.0?true',
    },
    type: 'liteServer.DispatchQueueInfo',
  },
  'liteServer.getDispatchQueueMessages': {
    id: 0xbbfd6439,
    fields: {
      mode: '#',
      id: 'tonNode.blockIdExt',
      addr: 'int256',
      after_lt: 'long',
      max_messages: 'int',
      want_proof: 'mode.0?true',
      one_account: 'mode.1?true',
      messages_boc: 'mode.2?true',
    },
    type: 'liteServer.DispatchQueueMessages',
  },
  'liteServer.nonfinal.getPendingShardBlocks': {
    id: 0x5a8ee82c,
    fields: { mode: '#', wc: 'mode.0?int', shard: 'mode.0?long' },
    type: 'liteServer.nonfinal.PendingShardBlocks',
  },
  'liteServer.nonfinal.getValidatorGroups': {
    id: 0xa59915e3,
    fields: { mode: '#', wc: 'mode.0?int', shard: 'mode.0?long' },
    type: 'liteServer.nonfinal.ValidatorGroups',
  },
  'liteServer.nonfinal.getCandidate': {
    id: 0x300794de,
    fields: { id: 'liteServer.nonfinal.candidateId' },
    type: 'liteServer.nonfinal.Candidate',
  },
} as const satisfies Record<string, Constructor>

/** What stands around a question on the wire. */
export const ENVELOPE_FUNCTIONS = {
  'liteServer.queryPrefix': { id: 0x72d3e686, fields: {}, type: 'Object' },
  'liteServer.query': { id: 0x798c06df, fields: { data: 'bytes' }, type: 'Object' },
  'liteServer.waitMasterchainSeqno': { id: 0xbaeab892, fields: { seqno: 'int', timeout_ms: 'int' }, type: 'Object' },
  'tcp.ping': { id: 0x4d082b9a, fields: { random_id: 'long' }, type: 'tcp.Pong' },
} as const satisfies Record<string, Constructor>
