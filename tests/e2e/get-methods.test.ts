import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runSmcMethod } from '../../src/liteserver/client.ts'
import { CONNECTION_DEFAULTS, connect } from '../../src/liteserver/connection.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { parseStack, stackInt } from '../../src/ton/stack.ts'
import { decodeAnswer, encodeQuery, type LiteRequest } from '../../src/ton/tl/lite-api.ts'
import { copyExecutable, type Lonely, type Running, startExecutable } from '../support/executable.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { RECORDED_NETWORK } from '../support/recorded-network.ts'

/** The TVM inside of the executable: its Workers and the emulator are embedded, there is nothing else in the folder. */

const WALLET = 'c4f8b4a75bbda2c6e7d1436c92984d6d40cec483524f1c1330d91a23f4d74206'
/** A contract with a method `inf` that never ends by itself. */
const TOOLBOX = '05710757ef8212f1f1fc5bfdcd81b8242682a46b80274964401983ee78819184'
const SEQNO = 85143

let alone: Lonely
let running: Running
beforeAll(async () => {
  alone = await copyExecutable()
  running = await startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0'])
})
afterAll(async () => {
  await running.end('SIGKILL')
  alone.remove()
})

const post = async (method: string, body: unknown): Promise<{ result: Record<string, unknown> }> => {
  const response = await fetch(`${running.url}/api/v2/${method}`, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as { result: Record<string, unknown> }
}

const seqno = () => post('runGetMethod', { address: `0:${WALLET}`, method: 'seqno', stack: [] })

describe('the executable', () => {
  test('runs get-methods', async () => {
    expect((await seqno()).result).toMatchObject({ exit_code: 0, gas_used: 769, stack: [['num', '0x4']] })
  })

  test('answers others while methods run to the end of their gas', async () => {
    const endless = Array.from({ length: 3 }, (_, i) =>
      post('runGetMethod', { address: `0:${TOOLBOX}`, method: 'inf', stack: [['num', i]] }),
    )
    let slowest = 0
    for (let i = 0; i < 20; i++) {
      const started = performance.now()
      await fetch(`${running.url}/api/v2/getMasterchainInfo`)
      slowest = Math.max(slowest, performance.now() - started)
    }
    expect(slowest).toBeLessThan(500)
    for (const { result } of await Promise.all(endless)) expect(result).toMatchObject({ exit_code: -14 })
    expect((await seqno()).result).toMatchObject({ exit_code: 0 })
  }, 30_000)

  test('runs them for the clients of its liteserver too', async () => {
    const [, address = '', key = ''] = running.lines.find((line) => line.startsWith('liteserver '))!.split(' ')
    const [host = '', port = ''] = address.split(':')
    const connection = await connect({ host, port: Number(port), key: Buffer.from(key, 'base64') }, CONNECTION_DEFAULTS)
    const query: Query = async (method, args) => {
      const request = { _: method, ...args } as unknown as LiteRequest
      return decodeAnswer(method, await connection.query(encodeQuery(request), { timeoutMs: 10_000 }))
    }
    const { id } = recordedChain().masterchain(recordedChain().last)!
    const account = { workchain: 0, id: Buffer.from(WALLET, 'hex') }
    const answer = await runSmcMethod(query, {
      mode: 4,
      id,
      account,
      method_id: BigInt(SEQNO),
      params: Buffer.alloc(0),
    })
    expect(answer.exit_code).toBe(0)
    expect(parseStack(parseBocRoot(answer.result!))).toEqual([stackInt(4)])
    connection.close()
  })

  test('ends at once, whatever its methods do', async () => {
    void post('runGetMethod', { address: `0:${TOOLBOX}`, method: 'inf', stack: [] }).catch(() => {})
    await Bun.sleep(50)
    await Promise.race([running.end('SIGTERM'), Bun.sleep(15_000)])
    expect(running.stderr()).not.toContain('Error')
  }, 20_000)
})
