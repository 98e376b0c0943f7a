import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyExecutable, type Lonely, type Running, startExecutable } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { untilReady } from '../support/ready.ts'

/** `tonlith serve` over a network of our own, which it is told by the global config that `tonlith dev` gives. */

let alone: Lonely
let network: LiveNetwork
let gateway: Running | undefined

beforeAll(async () => {
  alone = await copyExecutable()
  network = await startLiveNetwork(alone, 'network', '--block-interval', 'manual', '--shards', '1')
}, 120_000)
afterAll(async () => {
  await gateway?.end()
  await network?.end()
  alone?.remove()
}, 60_000)

test('serve follows the network from its zero state on, with all proofs checked', async () => {
  await network.mine(3)
  const said = network.lines.find((line) => line.startsWith('global config '))!
  const config = said.slice('global config '.length)
  expect(config).toBe(`${network.url}/dev/global-config.json`)
  const flags = ['--listen', '127.0.0.1:0', '--data', 'served', '--keyless-rps', '0', '--index-from', 'genesis']
  const served = await startExecutable(alone, ['serve', '--global-config', config, ...flags])
  gateway = served
  await network.mine(2)
  await untilReady(served.url)
  const { seqno } = await network.status()
  const found = async (path: string) => (await (await fetch(served.url + path)).json()) as Record<string, unknown>
  expect(await found(`/api/v3/masterchainInfo?min_mc_seqno=${seqno}`)).toMatchObject({ last: { seqno } })
  expect(await found('/api/v2/getMasterchainInfo')).toMatchObject({ result: { last: { seqno } } })
  // What makes blocks and shows keys is not given on by it.
  expect((await fetch(`${served.url}/dev/status`)).status).toBe(404)
}, 60_000)
