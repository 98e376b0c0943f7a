import { expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('../../../src/common/thread-priority.ts', import.meta.url))

/** In a process of its own: a Worker that stands back, and the priorities of both threads as the system tells them. */
const PROGRAM = `
  import { readFileSync } from 'node:fs'
  const worker = new Worker(URL.createObjectURL(new Blob([\`
    import { readlinkSync, readFileSync } from 'node:fs'
    import { yieldToOtherThreads } from '${SOURCE}'
    yieldToOtherThreads(10)
    const stat = readFileSync('/proc/thread-self/stat', 'utf8')
    postMessage(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  \`], { type: 'application/typescript' })))
  worker.onmessage = ({ data }) => {
    const stat = readFileSync('/proc/thread-self/stat', 'utf8')
    console.log(data, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    process.exit()
  }
`

test('only the thread that asks for it stands back', async () => {
  const before = getPriority()
  if (process.platform === 'linux') {
    const child = Bun.spawn([process.execPath, '-e', PROGRAM], { stdout: 'pipe', stderr: 'inherit' })
    expect((await new Response(child.stdout).text()).trim()).toBe(`${Math.min(before + 10, 19)} ${before}`)
  }
  expect(getPriority()).toBe(before)
})
