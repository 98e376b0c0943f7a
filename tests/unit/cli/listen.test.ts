import { describe, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { checkUnused, listen } from '../../../src/cli/listen.ts'

const app = () =>
  new Elysia().get('/slow', async () => {
    await Bun.sleep(200)
    return 'done'
  })

describe('listen', () => {
  test('answers at its URL until it is stopped, requests under way included', async () => {
    const { url, stop } = listen(app(), { host: '127.0.0.1', port: 0 })
    const slow = fetch(`${url}/slow`)
    await Bun.sleep(50)
    await stop()
    expect(await (await slow).text()).toBe('done')
    await expect(fetch(url)).rejects.toThrow()
  })

  test('an address that is taken is refused', async () => {
    const { url, stop } = listen(app(), { host: '127.0.0.1', port: 0 })
    const port = Number(new URL(url).port)
    expect(() => listen(app(), { host: '127.0.0.1', port })).toThrow(`cannot listen on 127.0.0.1:${port}: it is in use`)
    expect(() => checkUnused({ host: '127.0.0.1', port }, '--listen')).toThrow(
      `cannot listen on 127.0.0.1:${port}: it is in use; --listen HOST:PORT names another address`,
    )
    await stop()
    expect(() => checkUnused({ host: '127.0.0.1', port }, '--listen')).not.toThrow()
  })

  test('an address of another machine is refused', () => {
    expect(() => listen(app(), { host: '203.0.113.1', port: 0 })).toThrow(
      'cannot listen on 203.0.113.1:0: it is no address of this machine',
    )
  })
})
