import type { Chain } from '../../../chain/chain.ts'
import { readConfig, readConfigParam } from '../../../chain/config.ts'
import { LIBRARIES_AT_A_TIME, readLibraries } from '../../../chain/libraries.ts'
import { TonlithError } from '../../../common/errors.ts'
import { ref } from '../../json-schema.ts'
import { type CallContext, GET_POST, type Method, method } from '../method.ts'
import { hashes, int32 } from '../param.ts'
import { configInfo, libraryResult } from '../serialize/config.ts'
import { FOLLOWS_HEAD, IMMUTABLE } from './cache-seconds.ts'

type Context = CallContext<Chain>

/** The head's configuration may be given again for as long as the reference does (contracts/v2.md 4). */
const CONFIG_SECONDS = 5 * FOLLOWS_HEAD

const configSeconds = ({ seqno }: { seqno: number | undefined }): number =>
  seqno === undefined ? CONFIG_SECONDS : IMMUTABLE

const seqno = int32({
  optional: true,
  positive: true,
  description: 'Masterchain block whose configuration is asked for; the newest one when left out',
})

const getConfigParam = method({
  name: 'getConfigParam',
  group: 'config',
  summary: 'One parameter of the configuration; its bytes are empty when there is no such parameter',
  verbs: GET_POST,
  params: {
    param: int32({ optional: true, nonNegative: true, description: 'Number of the parameter' }),
    config_id: int32({ optional: true, nonNegative: true, description: 'The older name of `param`' }),
    seqno,
  },
  validate: ({ param, config_id }) => {
    if ((param === undefined) === (config_id === undefined))
      throw new TonlithError('invalid', 'only one of config_id or param should be specified')
  },
  result: ref('ConfigInfo'),
  cacheSeconds: configSeconds,
  call: async ({ param, config_id, seqno }, { chain, signal }: Context) =>
    configInfo(await readConfigParam(chain, (param ?? config_id)!, { seqno, signal })),
})

const getConfigAll = method({
  name: 'getConfigAll',
  group: 'config',
  summary: 'The dictionary of all configuration parameters',
  verbs: GET_POST,
  params: { seqno },
  result: ref('ConfigInfo'),
  cacheSeconds: configSeconds,
  call: async ({ seqno }, { chain, signal }: Context) => configInfo(await readConfig(chain, { seqno, signal })),
})

const getLibraries = method({
  name: 'getLibraries',
  group: 'config',
  summary: 'Public libraries by their hashes, ascending by hash; those that do not exist are left out',
  verbs: GET_POST,
  params: {
    libraries: hashes({ max: LIBRARIES_AT_A_TIME, description: 'Hashes of libraries, 64 hex digits or base64 each' }),
  },
  result: ref('LibraryResult'),
  cacheSeconds: () => CONFIG_SECONDS,
  call: async ({ libraries }, { chain, signal }: Context) =>
    libraryResult(await readLibraries(chain, libraries, signal)),
})

/** Methods that read the configuration and what else all contracts share (contracts/v2.md 11). */
export const configMethods: readonly Method<Chain>[] = [getConfigParam, getConfigAll, getLibraries]
