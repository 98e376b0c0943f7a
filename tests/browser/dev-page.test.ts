import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'puppeteer-core'
import { findChromium, startChromium } from '../support/chromium.ts'
import { startTestNetwork, type TestNetwork } from '../support/dev-chain.ts'
import { smallApp } from '../support/small-app.ts'

/**
 * The page of a live network as a developer uses it, in a real browser that reaches nothing but the server. Without a
 * Chromium in PATH the tests say so and look at nothing.
 */

const chromium = findChromium()
if (!chromium) console.log('no chromium in PATH: the page of the dev network was not looked at in a browser')

/** Milliseconds that the browser may take to start and to show the page on a loaded machine. */
const START_MS = 60_000
const SOMEBODY = `0:${'51'.repeat(32)}`

let network: TestNetwork
let server: ReturnType<typeof Bun.serve>
let browser: Browser
let page: Page
const foreign: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  if (!chromium) return
  network = await startTestNetwork()
  const app = smallApp({ dev: { control: network.control, globalConfig: '{}' } })
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.handle(request) })
  browser = await startChromium(chromium)
  page = await browser.newPage()
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(server.url.origin) && !url.startsWith('data:')) foreign.push(url)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(new URL('/dev', server.url).href)
}, START_MS)

afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await network?.remove()
}, START_MS)

/** Runs a check in the page; passes at once where there is no browser. */
const inBrowser = (name: string, check: () => Promise<void>): void => {
  test(name, async () => {
    if (chromium) await check()
  })
}

/** Fills a form, sends it, and gives what it says when it is done. */
const submit = async (form: string, fields: Record<string, string>): Promise<string> => {
  for (const [name, value] of Object.entries(fields))
    await page.$eval(`#${form} input[name="${name}"]`, (input, text) => Object.assign(input, { value: text }), value)
  await page.click(`#${form} button`)
  await page.waitForFunction(`!['', '…'].includes(document.querySelector('#${form} output').textContent)`)
  return page.$eval(`#${form} output`, (output) => output.textContent ?? '')
}

describe('the page of the dev network', () => {
  inBrowser('shows the wallets with their words', async () => {
    const text = await page.$eval('main', (element) => element.textContent ?? '')
    for (const { mnemonic } of network.started.accounts.wallets) expect(text).toContain(mnemonic)
  })

  inBrowser('pays from the faucet', async () => {
    const { seqno } = await network.control.status()
    const said = await submit('faucet', { address: SOMEBODY, amount: '1.000000001' })
    expect(said).toMatch(/^paid in block \d+, transaction [0-9a-f]{64}$/)
    expect(Number(said.match(/\d+/)?.[0])).toBeGreaterThan(seqno)
  })

  inBrowser('makes blocks, and shows the newest one', async () => {
    const { seqno } = await network.control.status()
    expect(await submit('mine', { blocks: '3' })).toBe(`block ${seqno + 3}`)
    await page.waitForFunction(`document.getElementById('seqno').textContent === '${seqno + 3}'`)
  })

  inBrowser('says what the network refuses', async () => {
    expect(await submit('mine', { blocks: '1' })).toContain('block')
    await page.$eval('#faucet output', (output) => Object.assign(output, { textContent: '' }))
    const said = await submit('faucet', { address: 'nobody', amount: '1' })
    expect(said).toBe('address must be an account address')
    complaints.splice(0, complaints.length, ...complaints.filter((line) => !line.includes('422')))
  })

  inBrowser('asks no other machine, and breaks none of its own rules', async () => {
    expect([foreign, complaints]).toEqual([[], []])
  })
})
