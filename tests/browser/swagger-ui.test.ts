import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'puppeteer-core'
import { type ArchiveGateway, startArchiveGateway } from '../support/archive-gateway.ts'
import { findChromium, startChromium } from '../support/chromium.ts'

/**
 * The documentation as a reader sees it, in a real browser that reaches nothing but the gateway. Without a Chromium in PATH
 * the tests say so and look at nothing.
 */

const chromium = findChromium()
if (!chromium) console.log('no chromium in PATH: Swagger UI was not looked at in a browser')

interface OpenApi {
  paths: Record<string, Record<string, { parameters?: { name: string }[] }>>
}

/** Milliseconds that the browser may take to start and to show the page on a loaded machine. */
const START_MS = 60_000

let gateway: ArchiveGateway
let server: ReturnType<typeof Bun.serve>
let browser: Browser
let page: Page
let openApi: OpenApi
/** Each request's key, in the header and in the query; undefined for none. */
const sentKeys: (readonly [string | undefined, string | undefined])[] = []
const KEY = 'key-of-a-reader'
const foreign: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  if (!chromium) return
  gateway = await startArchiveGateway({}, (secret) =>
    secret === KEY ? { name: 'reader', owner: 'reader', network: 'dev', plan: '', rps: 0 } : undefined,
  )
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => gateway.fetch(request) })
  openApi = (await (await fetch(new URL('/openapi.json', server.url))).json()) as OpenApi
  browser = await startChromium(chromium)
  page = await browser.newPage()
  page.on('request', (request) => {
    const url = request.url()
    const inQuery = new URL(url).searchParams.get('api_key') ?? undefined
    if (url.includes('/api/v2/')) sentKeys.push([request.headers()['x-api-key'], inQuery])
    if (!url.startsWith(server.url.origin) && !url.startsWith('data:')) foreign.push(url)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(new URL('/', server.url).href, { waitUntil: 'networkidle0' })
  await page.waitForSelector('.opblock')
}, START_MS)

afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await gateway?.stop()
}, START_MS)

/** Runs a check in the page; passes at once where there is no browser. */
const inBrowser = (name: string, check: () => Promise<void>): void => {
  test(name, async () => {
    if (chromium) await check()
  })
}

const open = async (id: string): Promise<string> => {
  const block = `#operations-${id}`
  await page.click(`${block} .opblock-summary-control`)
  await page.waitForSelector(`${block} .opblock-body`)
  return block
}

const textOf = (selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent ?? '')

describe('Swagger UI', () => {
  inBrowser('is where the root leads', async () => {
    expect(new URL(page.url()).pathname).toBe('/docs')
    expect(await textOf('.info .title')).toContain('TON HTTP API v2')
  })

  inBrowser('lists every operation', async () => {
    const shown = await page.$$eval('.opblock-summary-path', (elements) =>
      elements.map((element) => element.getAttribute('data-path') ?? ''),
    )
    const operations = Object.entries(openApi.paths).flatMap(([path, verbs]) => Object.keys(verbs).map(() => path))
    expect(shown.sort()).toEqual(operations.sort())
    expect(operations.length).toBeGreaterThan(30)
  })

  inBrowser('shows parameters and response schemas', async () => {
    const block = await open('transactions-getTransactionsGet')
    const text = await textOf(block)
    for (const { name } of openApi.paths['/api/v2/getTransactions']!['get']!.parameters!) expect(text).toContain(name)
    await page.waitForSelector(`${block} .model-example`)
    expect(await textOf(`${block} .responses-wrapper`)).toContain('transaction_id')
  })

  inBrowser('runs a request and shows the answer', async () => {
    const block = await open('blocks-getMasterchainInfoGet')
    await page.waitForSelector(`${block} .execute`)
    await page.click(`${block} .execute`)
    await page.waitForSelector(`${block} .live-responses-table .response-col_description .highlight-code`)
    expect(await textOf(`${block} .live-responses-table`)).toContain('blocks.masterchainInfo')
  })

  inBrowser('sends the key that a reader authorizes with, in the header or the query', async () => {
    for (const [place, name] of ['X-API-Key', 'api_key'].entries()) {
      await page.click('.auth-wrapper .authorize')
      const form = `.auth-container:nth-of-type(${place + 1})`
      await page.waitForSelector(`${form} input`)
      expect(await textOf(form)).toContain(name)
      await page.type(`${form} input`, KEY)
      await page.click(`${form} button.authorize`)
      await page.waitForSelector(`${form} .auth-btn-wrapper button:not(.authorize)`)
      await page.click('.modal-ux .close-modal')
      const block = '#operations-blocks-getMasterchainInfoGet'
      const answered = page.waitForResponse((response) => response.url().includes('/getMasterchainInfo'))
      await page.click(`${block} .execute`)
      expect((await answered).status()).toBe(200)
    }
    expect(sentKeys.slice(-3)).toEqual([
      [undefined, undefined],
      [KEY, undefined],
      [KEY, KEY],
    ])
  })

  inBrowser('asks no other machine for anything', async () => {
    expect(foreign).toEqual([])
  })

  inBrowser('breaks none of its own rules', async () => {
    expect(complaints).toEqual([])
  })
})
