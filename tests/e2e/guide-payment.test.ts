import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyExecutable, type Lonely, runExecutable } from '../support/executable.ts'
import { guideCode } from '../support/guide-code.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'

/** What the guides have a newcomer do, with the scripts of docs/payments.md: an order that is paid, and a backup. */

const ROOT = join(import.meta.dir, '../..')
const TRIAL_MS = 60_000

let alone: Lonely
let network: LiveNetwork
let receiver: ReturnType<typeof startReceiver> | undefined

beforeAll(async () => {
  alone = await copyExecutable()
  network = await startLiveNetwork(alone, 'data', '--block-interval', '200ms')
  symlinkSync(join(ROOT, 'node_modules'), join(alone.folder, 'node_modules'))
  for (const name of ['receiver.mjs', 'pay.mjs']) writeFileSync(join(alone.folder, name), guideCode(name))
}, TRIAL_MS)
afterAll(async () => {
  receiver?.kill()
  await network.end('SIGKILL')
  alone.remove()
})

const startReceiver = (secret: string) =>
  Bun.spawn([process.execPath, 'receiver.mjs'], {
    cwd: alone.folder,
    env: { PORT: '0', WEBHOOK_SECRET: secret },
    stdout: 'pipe',
    stderr: 'inherit',
  })

const merchants = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runExecutable(alone, ['merchants', ...args, '--data', 'data'])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

test(
  'an order is made, paid, and told of',
  async () => {
    const { wallets } = await network.status()
    const printed = await merchants('add', 'shop', '--network', 'dev', '--wallet', wallets[1]!.address)
    const secret = /^webhook secret (\S+)$/m.exec(printed)![1]!
    const key = /^api key (\S+)$/m.exec(printed)![1]!

    receiver = startReceiver(secret)
    const lines = receiver.stdout.pipeThrough(new TextDecoderStream()).getReader()
    const port = /listening on (\d+)/.exec((await lines.read()).value!)![1]
    await merchants('set', 'shop', '--webhook', `http://127.0.0.1:${port}/hook`)

    const paying = Bun.spawn([process.execPath, 'pay.mjs', '12.5', 'order 1'], {
      cwd: alone.folder,
      env: { GATEWAY: network.url, MERCHANT_KEY: key, WORDS: wallets[0]!.mnemonic },
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const reference = /^sent (\S+)$/m.exec(await new Response(paying.stdout).text())![1]!
    expect((await lines.read()).value).toBe(`200 order ${reference} is paid\n`)
    const orders = JSON.parse(readFileSync(join(alone.folder, 'orders.json'), 'utf8'))
    expect(orders).toEqual({ [reference]: { rawAmount: '12500000000', asset: 'TON', state: 'paid' } })
  },
  TRIAL_MS,
)

test(
  'a backup that is made meanwhile has the merchant, the key and the delivery; it is whole or not there',
  async () => {
    const run = (...args: string[]) => runExecutable(alone, args)
    const told = async (data: string): Promise<string[]> => {
      const asked = [
        ['merchants', 'list'],
        ['keys', 'list'],
        ['webhooks', 'list', 'shop'],
      ]
      return Promise.all(asked.map(async (words) => (await run(...words, '--data', data)).stdout))
    }
    await run('keys', 'add', 'reader', '--owner', 'ann', '--network', 'dev', '--data', 'data')
    expect(await run('backup', 'copy', '--data', 'data')).toMatchObject({ code: 0, stderr: '' })
    const told0 = await told('data')
    expect(told0[2]).toContain('delivered')
    expect(await told('copy')).toEqual(told0)
    expect(statSync(join(alone.folder, 'copy/payments')).mode & 0o777).toBe(0o700)

    expect(await run('backup', 'copy-of-index', '--with-index', '--data', 'data/dev')).toMatchObject({ code: 0 })
    expect((await run('index', 'info', '--data', 'copy-of-index')).stdout).toContain('masterchain blocks')

    expect(await run('backup', 'copy', '--data', 'data')).toMatchObject({
      code: 1,
      stderr: 'tonlith: copy is not empty: name a new folder\n',
    })
    expect(await run('backup', 'none', '--data', 'nowhere')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^tonlith: there is nothing to copy in .*nowhere\n$/),
    })
    expect(readdirSync(alone.folder).filter((name) => /none|unfinished/.test(name))).toEqual([])
  },
  TRIAL_MS,
)
