import { describe, expect, test } from 'bun:test'
import { createHead } from '../../../src/devnet/head.ts'

const failure = async (waiting: Promise<void>): Promise<string> => {
  try {
    await waiting
    return 'none'
  } catch (error) {
    const { code, message } = error as { code: number; message: string }
    return `${code} ${message}`
  }
}

describe('waiting for a masterchain block', () => {
  test('what is there already is not waited for, whatever the timeout', async () => {
    const head = createHead(10)
    await head.wait(10, 0)
    await head.wait(0, -1)
  })

  test('everyone whose block has come wakes up, the others go on waiting', async () => {
    const head = createHead(10)
    const woken: number[] = []
    const waiting = [11, 12, 12, 14].map((seqno) => head.wait(seqno, 5_000).then(() => woken.push(seqno)))
    head.set(12)
    await Promise.all(waiting.slice(0, 3))
    expect(woken).toEqual([11, 12, 12])
    head.set(14)
    await waiting[3]
    expect(head.seqno).toBe(14)
  })

  test('a block that does not come is a timeout', async () => {
    const head = createHead(10)
    const started = performance.now()
    expect(await failure(head.wait(11, 40))).toBe('652 timeout')
    expect(performance.now() - started).toBeGreaterThan(30)
  })

  test('no time to wait is a timeout, even for a block that is far away', async () => {
    expect(await failure(createHead(10).wait(11, 0))).toBe('652 timeout')
    expect(await failure(createHead(10).wait(100_000, 0))).toBe('652 timeout')
    expect(await failure(createHead(10).wait(11, -5))).toBe('652 timeout')
  })

  test('a block that is more than 100 away is refused at once', async () => {
    const head = createHead(10)
    expect(await failure(head.wait(111, 10_000))).toBe('651 too big masterchain block seqno')
    expect(await failure(head.wait(0xffffffff, 300))).toBe('651 too big masterchain block seqno')
    const near = head.wait(110, 10_000)
    head.set(110)
    expect(await failure(near)).toBe('none')
  })

  test('closing ends all waiting', async () => {
    const head = createHead(10)
    const waiting = head.wait(11, 10_000)
    head.close()
    expect(await failure(waiting)).toBe('652 timeout')
  })
})
