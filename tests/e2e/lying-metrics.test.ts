import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Liteserver } from '../../src/devnet/liteserver-server.ts'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Lonely, type Running } from '../support/executable.ts'
import { LIES_ABOUT_ACCOUNTS } from '../support/lies/accounts.ts'
import { type LyingLiteserver, startLyingLiteserver } from '../support/lying-liteserver.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { startServed } from '../support/served-gateway.ts'

/** The executable between an honest liteserver and one that lies about every account: what its operator gets to see. */

const SEQNOS = 40
const ACCOUNT = `address=-1:${'3'.repeat(64)}`
const head = recordedChain().last

let alone: Lonely
let honest: Liteserver
let liar: LyingLiteserver
let running: Running
beforeAll(async () => {
  alone = await copyExecutable()
  honest = await startArchive({ head })
  liar = startLyingLiteserver({
    head,
    lie: LIES_ABOUT_ACCOUNTS.find(({ name }) => name.startsWith('the state changed'))!,
  })
  const { host, port, key } = liar.server
  const servers = [
    { host, port, key },
    { ...honest.address, key: honest.publicKey },
  ]
  running = await startServed(alone, 'lied-to', servers, '--trust', 'proofs')
})
afterAll(async () => {
  await running.end('SIGKILL')
  liar.server.kill()
  await honest.stop()
  alone.remove()
})

const text = async (path: string): Promise<string> => (await fetch(`${running.url}${path}`)).text()
const counted = async (name: string): Promise<string[]> =>
  (await text('/metrics')).split('\n').filter((line) => line.startsWith(`tonlith_liteserver_${name}{`))

test('every answer is right; the liar is left alone, and both is counted', async () => {
  const online = async (): Promise<number> =>
    JSON.parse(await text('/status')).liteservers.filter((each: { state: string }) => each.state === 'online').length
  while ((await online()) < 2) await Bun.sleep(10)
  const seqnos = Array.from({ length: SEQNOS }, (_, i) => head - i)
  const answers = await Promise.all(
    seqnos.map((seqno) => text(`/api/v2/getAddressInformation?${ACCOUNT}&seqno=${seqno}`)),
  )
  expect(answers.map((answer) => JSON.parse(answer).result?.block_id?.seqno)).toEqual(seqnos)
  expect(liar.told()).toBeGreaterThan(0)
  for (const name of ['refused_answers_total', 'bans_total'])
    expect((await counted(name)).join()).toMatch(/^tonlith_liteserver_[a-z_]+\{server="0"\} [1-9]\d*$/)
  expect(JSON.parse(await text('/status')).liteservers.map(({ breaker }: { breaker: string }) => breaker)).toEqual([
    'open',
    'closed',
  ])
})
