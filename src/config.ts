import { LOG_FORMATS, LOG_LEVELS } from './common/logger.ts'
import {
  address,
  age,
  apiKey,
  blockInterval,
  duration,
  fileOrUrl,
  indexFrom,
  integer,
  KEY_FORM,
  type Kind,
  networkSource,
  oneOf,
  origins,
  path,
  recording,
  retain,
  shardCount,
  toggle,
  webUrl,
} from './config/kinds.ts'
import { plans } from './config/plans.ts'
import { trustedProxies } from './config/trusted-proxies.ts'
import { hosts, retryDelays } from './config/webhook-kinds.ts'

export const VERBS = [
  'serve',
  'dev',
  'index',
  'keys',
  'merchants',
  'webhooks',
  'backup',
  'config',
  'doctor',
  'openapi',
  'version',
] as const
export type Verb = (typeof VERBS)[number]

/** The verbs that run with settings; the others only look at the program. */
export type RunVerb = 'serve' | 'dev'

/** One setting: what it is called everywhere follows from its key (see `flagOf` and `envOf`). */
export type Setting = {
  /** Its name in `tonlith.toml`; `TONLITH_` and this in capitals is its name in the environment. */
  key: string
  kind: Kind<unknown>
  /** What holds when nobody says anything, as text; a setting without it is optional. */
  default?: string
  /** The default of `dev`, where it differs. */
  devDefault?: string
  /** The default of `dev` over a recorded network, where it differs from that of `dev`. */
  recordedDefault?: string
  /** A secret has no flag (others would see it in the list of processes) and is never printed. */
  secret?: true
  /** It may change while the program runs: SIGHUP reads it again. */
  live?: true
  /** False where the file itself may not say it. */
  inFile?: false
  verbs: readonly RunVerb[]
  help: string
}

const BOTH = ['serve', 'dev'] as const

/** Every setting of the program. */
export const SETTINGS = [
  {
    key: 'listen',
    kind: address,
    default: '127.0.0.1:8081',
    verbs: BOTH,
    help: 'where HTTP is answered; port 0 takes a free one',
  },
  {
    key: 'admin_listen',
    kind: address,
    verbs: BOTH,
    help: 'where /status and /metrics are answered instead of at listen, for operators only',
  },
  {
    key: 'admin_token',
    kind: apiKey,
    secret: true,
    verbs: BOTH,
    live: true,
    help: `to be sent there as Authorization: Bearer KEY (${KEY_FORM}); required beyond loopback`,
  },
  {
    key: 'http_workers',
    kind: integer('N', 1, 64),
    default: '1',
    verbs: BOTH,
    help: 'processes that answer HTTP, over which Linux spreads the connections',
  },
  {
    key: 'cache_memory',
    kind: integer('MIB', 8, 65_536),
    default: '128',
    verbs: BOTH,
    help: 'mebibytes in which a process keeps what it has read lately; the thread of the index keeps up to as much',
  },
  {
    key: 'data',
    kind: path('DIR'),
    default: './data',
    inFile: false,
    verbs: BOTH,
    help: 'folder of everything that is kept; a tonlith.toml in it is read',
  },
  {
    key: 'config',
    kind: path('FILE'),
    inFile: false,
    verbs: BOTH,
    help: 'file of settings to read instead of tonlith.toml in the data folder',
  },
  {
    key: 'network',
    kind: oneOf(['mainnet', 'testnet']),
    default: 'mainnet',
    verbs: ['serve'],
    help: 'which network the liteservers belong to',
  },
  {
    key: 'global_config',
    kind: fileOrUrl,
    verbs: ['serve'],
    help: "the network's liteservers, zero state and init block; built in for both networks",
  },
  {
    key: 'trust',
    kind: oneOf(['full', 'proofs', 'none']),
    default: 'full',
    recordedDefault: 'proofs',
    verbs: BOTH,
    help: 'what is checked of answers: proofs and signatures, proofs, or nothing',
  },
  {
    key: 'dialect',
    kind: oneOf(['spec', 'toncenter']),
    default: 'spec',
    verbs: BOTH,
    help: 'words and address form of /api/v2; /ton/api/v2 always speaks toncenter',
  },
  {
    key: 'keyless_rps',
    kind: integer('N', 0, 1_000_000),
    default: '1',
    devDefault: '0',
    verbs: BOTH,
    live: true,
    help: 'requests a second of one client without an API key; 0 means no limit',
  },
  {
    key: 'v3_keyless_rps',
    kind: integer('N', 0, 1_000_000),
    default: '1',
    devDefault: '0',
    verbs: BOTH,
    live: true,
    help: 'the same for /api/v3, counted apart',
  },
  {
    key: 'trust_proxy',
    kind: trustedProxies,
    default: 'off',
    verbs: BOTH,
    help: 'proxies that may tell the client address: how many stand in front, or their networks',
  },
  {
    key: 'plans',
    kind: plans,
    default: 'free=10,plus=25,advanced=100',
    verbs: BOTH,
    live: true,
    help: 'plans of API keys: requests a second of all keys of one owner (0: no limit), and a global config of their own',
  },
  {
    key: 'api_key',
    kind: apiKey,
    secret: true,
    verbs: BOTH,
    live: true,
    help: `one API key without a limit, ${KEY_FORM}; dev makes one up if none is given`,
  },
  {
    key: 'request_timeout',
    kind: duration('100ms', '60s'),
    default: '10s',
    verbs: BOTH,
    help: 'how long a request may take before it is answered with 504',
  },
  {
    key: 'cors',
    kind: origins,
    default: '*',
    verbs: BOTH,
    help: 'origins of web pages that may read the answers',
  },
  {
    key: 'index',
    kind: oneOf(['on', 'off']),
    default: 'on',
    verbs: BOTH,
    help: 'keeps an index of the chain in the data folder, which API v3 is answered from',
  },
  {
    key: 'index_from',
    kind: indexFrom,
    default: 'head',
    devDefault: 'genesis',
    verbs: BOTH,
    help: 'masterchain block that an empty index begins with; one that is not empty goes on where it ended',
  },
  {
    key: 'backfill_to',
    kind: integer('SEQNO', 1, 2 ** 31 - 1),
    verbs: BOTH,
    help: 'masterchain block down to which the index is filled in the background',
  },
  {
    key: 'index_accounts',
    kind: path('FILE'),
    verbs: BOTH,
    help: 'accounts, one a line: these, those of tonlith index accounts and who they deal with are indexed, nobody else',
  },
  {
    key: 'index_retain',
    kind: retain,
    default: '7d',
    devDefault: 'forever',
    verbs: BOTH,
    help: 'how much the index keeps: an age, a size, or all',
  },
  {
    key: 'metadata_fetch',
    kind: oneOf(['on', 'off']),
    default: 'on',
    devDefault: 'off',
    verbs: BOTH,
    help: 'fetches the JSON that tokens refer to from public hosts; off asks nobody',
  },
  {
    key: 'metadata_ipfs_gateway',
    kind: webUrl,
    default: 'https://ipfs.io/ipfs',
    verbs: BOTH,
    help: 'URL that the CID of an ipfs:// URI is appended to; it may be in a private network',
  },
  {
    key: 'payments_lifetime',
    kind: age('1m', '365d'),
    default: '24h',
    verbs: BOTH,
    help: 'how long a transfer of a merchant waits to be paid; a later payment is still reported',
  },
  {
    key: 'payments_retain',
    kind: age('1h', '3650d'),
    default: '90d',
    verbs: BOTH,
    help: 'how long a transfer is kept that was not paid in its lifetime; one that is removed cannot be paid any more',
  },
  {
    key: 'payments_keyless_rps',
    kind: integer('N', 0, 1_000_000),
    default: '1',
    devDefault: '0',
    verbs: BOTH,
    live: true,
    help: 'transfers that one client may make a second without a key, and ten times as many look-ups; 0 means no limit',
  },
  {
    key: 'payments_rps',
    kind: integer('N', 0, 1_000_000),
    default: '100',
    devDefault: '0',
    verbs: BOTH,
    live: true,
    help: 'calls of one merchant a second; 0 means no limit',
  },
  {
    key: 'webhooks_retry_delays',
    kind: retryDelays,
    default: '1s,5s,15s',
    verbs: BOTH,
    help: 'delays before a webhook is sent again after a failure; other delays get up to a tenth longer at random',
  },
  {
    key: 'webhooks_allow_hosts',
    kind: hosts,
    default: 'none',
    verbs: BOTH,
    help: 'hosts of private networks that webhooks may be sent to',
  },
  {
    key: 'webhooks_log_retain',
    kind: age('1h', '3650d'),
    default: '30d',
    verbs: BOTH,
    help: 'how long an event is kept with its deliveries once these are over',
  },
  {
    key: 'log',
    kind: oneOf(LOG_FORMATS),
    default: 'pretty',
    verbs: BOTH,
    help: 'form of the log lines on standard error',
  },
  {
    key: 'log_level',
    kind: oneOf(LOG_LEVELS),
    default: 'info',
    verbs: BOTH,
    help: 'least severe lines that are written',
  },
  {
    key: 'block_interval',
    kind: blockInterval,
    default: '400ms',
    verbs: ['dev'],
    help: 'how often the network makes a block; manual makes one only when it is asked for (tonlith dev mine)',
  },
  {
    key: 'shards',
    kind: shardCount,
    default: '2',
    verbs: ['dev'],
    help: 'shards that workchain 0 of a new network has',
  },
  {
    key: 'resplit_every',
    kind: integer('N', 2, 1_000_000),
    verbs: ['dev'],
    help: 'splits the shards, or merges them again, every so many masterchain blocks',
  },
  {
    key: 'time',
    kind: integer('UNIX', 1, 2 ** 31 - 1),
    verbs: ['dev'],
    help: "Unix seconds at which the network's own clock starts, which its blocks move on; the machine's clock by default",
  },
  {
    key: 'fresh',
    kind: toggle,
    default: 'off',
    verbs: ['dev'],
    help: 'removes the network that is in the data folder and begins a new one',
  },
  {
    key: 'load',
    kind: path('FILE'),
    verbs: ['dev'],
    help: 'accounts that a new network begins with, beside its own: JSON or a bag of cells',
  },
  {
    key: 'fork',
    kind: networkSource,
    verbs: ['dev'],
    help: 'network whose accounts are taken in when they are first asked for or sent something',
  },
  {
    key: 'fork_block',
    kind: integer('SEQNO', 1, 2 ** 31 - 1),
    verbs: ['dev'],
    help: 'its masterchain block at which they are read; by default the newest one at that time',
  },
  {
    key: 'archive',
    kind: recording,
    verbs: ['dev'],
    help: 'recorded network to serve: a folder, or the one that is built in',
  },
  {
    key: 'head',
    kind: integer('SEQNO', 1, 2 ** 31 - 1),
    verbs: ['dev'],
    help: 'masterchain block that the recording stands at; its last one by default',
  },
  {
    key: 'replay',
    kind: duration('1ms', '10m'),
    verbs: ['dev'],
    help: 'moves the head on by one masterchain block every so often',
  },
  {
    key: 'liteserver',
    kind: address,
    default: '127.0.0.1:0',
    verbs: ['dev'],
    help: "where the network's own liteserver listens; port 0 takes a free one",
  },
] as const satisfies readonly Setting[]

type AnySetting = (typeof SETTINGS)[number]
type ValueOf<S> = S extends { kind: Kind<infer T> } ? (S extends { default: string } ? T : T | undefined) : never

export type Key = AnySetting['key']

/** The effective values: every key is there, optional ones may be undefined. */
export type Settings = { [S in AnySetting as S['key']]: ValueOf<S> }

/** `--global-config`; undefined for a secret. */
export const flagOf = (setting: Setting): string | undefined =>
  setting.secret ? undefined : `--${setting.key.replaceAll('_', '-')}`

/** `TONLITH_GLOBAL_CONFIG` */
export const envOf = (setting: Setting): string => `TONLITH_${setting.key.toUpperCase()}`

/** The default of a setting for a verb, as text. */
export const defaultOf = (setting: Setting, verb: RunVerb): string | undefined =>
  verb === 'dev' ? (setting.devDefault ?? setting.default) : setting.default

/** The settings any of which makes `dev` serve a recorded network. */
export const RECORDED_KEYS = ['archive', 'head', 'replay'] as const satisfies readonly Key[]

/** The settings that are about a live network only, and have no default. */
export const LIVE_KEYS = ['resplit_every', 'time', 'load', 'fork', 'fork_block'] as const satisfies readonly Key[]

/** The settings that a verb reads. */
export const settingsOf = (verb: RunVerb): readonly Setting[] =>
  (SETTINGS as readonly Setting[]).filter((setting) => setting.verbs.includes(verb))
