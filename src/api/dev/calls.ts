import { TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import type { DevControl } from '../../devnet/control.ts'
import { type JsonSchema, object } from '../json-schema.ts'
import { HEAD, headJson, LOADED, loadedJson, PAYMENT, paymentJson } from './answers.ts'
import {
  address,
  base64,
  type Field,
  type Fields,
  nano,
  optional,
  readFields,
  text,
  type ValuesOf,
  whole,
  word,
} from './fields.ts'

/** One POST call of /dev: its route and its description in OpenAPI both come from it. */
export interface DevRoute {
  /** Behind `/dev/`. */
  readonly name: string
  readonly summary: string
  readonly fields: Fields
  readonly result: JsonSchema
  /** Reads the body, does it, and gives the answer. Throws TonlithError. */
  run(control: DevControl, body: Json): Promise<Json>
}

const route = <const F extends Fields>(
  described: Omit<DevRoute, 'run' | 'fields'> & { fields: F },
  call: (control: DevControl, values: ValuesOf<F>) => Promise<Json>,
): DevRoute => ({
  ...described,
  run: (control, body) => call(control, readFields(described.fields, body)),
})

const MAX_BLOCKS = 10_000
const MAX_TIME = 2 ** 31 - 1
const NAME: Field<string> = text(
  'Name of the snapshot',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  '1 to 64 letters, digits, "_", "-" or "."',
)

const clockOf = (now: number | undefined, advance: number | undefined): { now: number } | { advance: number } => {
  if (now !== undefined && advance === undefined) return { now }
  if (advance !== undefined && now === undefined) return { advance }
  throw new TonlithError('invalid', 'either now or advance must be given')
}

/** All POST calls of /dev. */
export const DEV_ROUTES: readonly DevRoute[] = [
  route(
    {
      name: 'faucet',
      summary: 'Pays an amount to an address, and answers when it has arrived',
      fields: { address: address('Who is paid'), amount: nano('Nanotons') },
      result: PAYMENT,
    },
    async (control, values) => paymentJson(await control.faucet(values.address, values.amount)),
  ),
  route(
    {
      name: 'mine',
      summary: 'Makes masterchain blocks at once, each with a block of every shard',
      fields: { blocks: optional(whole('How many; 1 unless given', 1, MAX_BLOCKS)) },
      result: HEAD,
    },
    async (control, { blocks = 1 }) => headJson(await control.mine(blocks)),
  ),
  route(
    {
      name: 'time',
      summary: 'Moves the clock of the network on; times of blocks never go back',
      fields: {
        now: optional(whole('Unix seconds to go to', 1, MAX_TIME)),
        advance: optional(whole('Seconds to go on by', 1, MAX_TIME)),
      },
      result: object({ now: { type: 'integer' } }),
    },
    async (control, { now, advance }) => ({ ...(await control.setTime(clockOf(now, advance))) }),
  ),
  route(
    {
      name: 'resplit',
      summary: 'Splits a shard or merges it with its sibling, and answers when the masterchain shows it',
      fields: {
        action: word('What to do', ['split', 'merge']),
        shard: text('Shard of workchain 0', /^[0-9a-fA-F]{16}$/, '16 hexadecimal digits'),
      },
      result: HEAD,
    },
    async (control, { action, shard }) => headJson(await control.resplit(action, shard.toLowerCase())),
  ),
  route(
    {
      name: 'config',
      summary: 'Changes a parameter of the configuration, and answers when a key block has it',
      fields: {
        param: whole('Number of the parameter', -(2 ** 31), 2 ** 31 - 1),
        boc: base64('Its new value: a bag of one cell'),
      },
      result: HEAD,
    },
    async (control, { param, boc }) => headJson(await control.setConfig(param, boc)),
  ),
  route(
    {
      name: 'load',
      summary: 'Puts accounts into the chain, and answers when blocks have them; those that are there stay as they are',
      fields: { file: base64('What a file for --load has: JSON, or a bag of cells') },
      result: LOADED,
    },
    async (control, { file }) => loadedJson(await control.load({ file })),
  ),
  route(
    {
      name: 'snapshot',
      summary: 'Keeps the chain as it is now under a new name',
      fields: { name: NAME },
      result: HEAD,
    },
    async (control, { name }) => headJson(await control.snapshot(name)),
  ),
  route(
    {
      name: 'restore',
      summary: 'Goes back to a snapshot',
      fields: { name: NAME },
      result: HEAD,
    },
    async (control, { name }) => headJson(await control.restore(name)),
  ),
]
