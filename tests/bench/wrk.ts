import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from './v2-calls.ts'

/** More than are answered in one run of the slowest calls; cheap ones start again with the first. */
const REQUESTS = 40_000
const SECONDS = 2

/** Reads requests from a file, a line each: the target and, where it is a POST, the body behind a tab. */
const SCRIPT = `
local requests, n = {}, 0
local json = {["Content-Type"] = "application/json"}
function init(args)
  for line in io.lines(args[1]) do
    local path, body = line:match("^([^\\t]+)\\t?(.*)$")
    requests[#requests + 1] = body == "" and wrk.format("GET", path) or wrk.format("POST", path, json, body)
  end
end
function request()
  n = n % #requests + 1
  return requests[n]
end
function done(summary)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  io.write("told ", summary.requests, " ", errors.status + lost, "\\n")
end
`

/** Whether the load generator wrk is on PATH. */
export const hasWrk = (): boolean => Bun.which('wrk') !== null

/** Sends requests from the `from`-th on for two seconds with `wrk -t1 -c8`, and gives how many were answered, all with 200. */
export const wrk = async (port: number, { path, body }: Call, from: number): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-wrk-'))
  try {
    const script = join(folder, 'requests.lua')
    const requests = join(folder, 'requests')
    const lines = Array.from({ length: REQUESTS }, (_, i) => [path(from + i), body?.(from + i) ?? ''].join('\t'))
    writeFileSync(script, SCRIPT)
    writeFileSync(requests, `${lines.join('\n')}\n`)
    const target = `http://127.0.0.1:${port}/`
    const child = Bun.spawn(['wrk', '-t1', '-c8', `-d${SECONDS}s`, '-s', script, target, requests], {
      stderr: 'inherit',
    })
    const [, answered, failed] = /^told (\d+) (\d+)$/m.exec(await new Response(child.stdout).text()) ?? []
    if (failed !== '0') throw new Error(`wrk: ${failed ?? 'unknown'} requests failed: ${path(from)}`)
    return Number(answered)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
