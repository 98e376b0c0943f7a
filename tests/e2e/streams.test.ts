import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { RECORDED_NETWORK } from '../support/recorded-network.ts'

/** Standard output and standard error whose readers are gone, or whose disk is full. */

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

const shell = async (script: string) => {
  const child = Bun.spawn(['sh', '-c', script, alone.executable], {
    cwd: alone.folder,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { stdout, stderr, code: await child.exited }
}

test('a reader that has seen enough of the output is no failure', async () => {
  for (const verb of ['openapi', 'version', 'config', '--help'])
    expect(await shell(`{ "$0" ${verb}; echo "code $?" >&2; } | true`)).toEqual({
      stdout: '',
      stderr: 'code 0\n',
      code: 0,
    })
})

test('output that cannot be written is told in one line', async () => {
  if (!existsSync('/dev/full')) return
  const { stderr, code } = await shell('"$0" openapi > /dev/full')
  expect([stderr, code]).toEqual(['tonlith: standard output cannot be written: ENOSPC\n', 1])
})

test('a gateway lives on when nobody reads its log any more', async () => {
  const child = Bun.spawn([alone.executable, ...RECORDED_NETWORK, '--listen', '127.0.0.1:0'], {
    cwd: alone.folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    let text = ''
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk)
      if (text.includes('listening on')) break
    }
    await child.stderr.cancel()
    const url = text.match(/listening on (\S+)/)![1]
    for (let i = 0; i < 5; i++) expect((await fetch(`${url}/api/v2/getShards?seqno=99999`)).status).toBe(500)
    await Bun.sleep(100)
    expect((await fetch(`${url}/healthcheck`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
})
