import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Address, Cell, internal } from '@ton/core'
import { TonClient } from '@ton/ton'
import type { Browser, Page } from 'puppeteer-core'
import { findChromium, startChromium } from '../support/chromium.ts'
import { copyExecutable, type Lonely, runExecutable } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { printedWallets, sendFrom } from '../support/live-wallet.ts'
import { axeFindings, CONTRAST, pixelsBeyond, watchPage } from '../support/page-check.ts'
import { untilReady } from '../support/ready.ts'
import { until } from '../support/until.ts'

/**
 * The dashboard of the executable as a merchant uses it, on `tonlith dev` and in a real browser that reaches nothing but the
 * server. Without a Chromium in PATH the tests say so and look at nothing.
 */

const chromium = findChromium()
if (!chromium) console.log('no chromium in PATH: the dashboard was not looked at in a browser')

/** Milliseconds that server and browser may take on a loaded machine. */
const START_MS = 60_000
const DESKTOP = { width: 1280, height: 800 }
/** More than a loaded machine needs. */
const RETRIES = Array.from({ length: 20 }, () => '2s').join()
const PHONE = { width: 390, height: 844, isMobile: true, hasTouch: true }

interface Received {
  body: string
  signature: string | null
}

let alone: Lonely
let network: LiveNetwork
let browser: Browser
let page: Page
let seen: ReturnType<typeof watchPage>
let key: string
let secret: string
const received: Received[] = []
/** What the receiver answers with. */
let status = 200
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    received.push({ body: await request.text(), signature: request.headers.get('x-pay-signature') })
    return new Response('thank you & <bye>', { status })
  },
})

const start = async (): Promise<void> => {
  alone = await copyExecutable()
  network = await startLiveNetwork(alone, 'data', '--block-interval', '200ms', '--webhooks-retry-delays', RETRIES)
  const { stdout, stderr } = await runExecutable(alone, [
    'merchants',
    'add',
    'Tea-house',
    '--network',
    'dev',
    '--data',
    'data',
  ])
  const [, printedKey, printedSecret] = /^api key (\S+)\nwebhook secret (\S+)$/m.exec(stdout) ?? []
  if (printedKey === undefined || printedSecret === undefined) throw new Error(stderr)
  key = printedKey
  secret = printedSecret
}

beforeAll(async () => {
  if (!chromium) return
  ;[browser] = await Promise.all([startChromium(chromium), start()])
  page = await browser.newPage()
  seen = watchPage(page, network.url)
  await page.setViewport(DESKTOP)
  await page.goto(`${network.url}/dashboard`)
}, START_MS)

afterAll(async () => {
  await browser?.close()
  await network?.end('SIGKILL')
  await receiver.stop(true)
  alone?.remove()
}, START_MS)

/** Runs a check in the page; passes at once where there is no browser. */
const inBrowser = (name: string, check: () => Promise<void>): void => {
  test(name, async () => void (chromium && (await check())), START_MS)
}

const textOf = (selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent ?? '')
const open = (path: string): Promise<unknown> => page.goto(`${network.url}${path}`)

/** Presses the button with this text, and waits for the page that it leads to. */
const press = async (label: string): Promise<void> => {
  for (const button of await page.$$('main button')) {
    const text = await button.evaluate((element) => element.textContent ?? '')
    if (!text.startsWith(label)) continue
    await Promise.all([page.waitForNavigation(), button.click()])
    return
  }
  throw new Error(`there is no button ${label}`)
}

const isSigned = ({ body, signature }: Received): boolean =>
  signature === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

describe('a merchant', () => {
  inBrowser('signs in with the keyboard alone', async () => {
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in')
    await page.keyboard.type('not a key')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(await textOf('[role="alert"]')).toContain('no valid key')
    seen.complaints.splice(0)
    await page.keyboard.type(key)
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(await textOf('h1')).toBe('Overview')
    expect(await textOf('main')).toContain('First steps')
    await page.keyboard.press('Tab')
    expect(await textOf(':focus')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.$eval(':focus', ({ id }) => id)).toBe('main')
  })

  inBrowser('sets the URL, sends a test event, and sees the answer to it', async () => {
    await open('/dashboard/webhooks')
    await page.type('input[name="url"]', `${receiver.url}hook`)
    await press('Save the URL')
    expect(await textOf('[role="status"]')).toContain('The URL is saved')
    await press('Send a test event')
    expect(await textOf('h1')).toBe('Test event')
    expect(await textOf('.state')).toContain('Delivered')
    expect(await textOf('[aria-label="Answer to attempt 1"]')).toBe('thank you & <bye>')
    expect([received.length, isSigned(received[0]!)]).toEqual([1, true])
    expect(JSON.parse(received[0]!.body)).toMatchObject({ event: 'transfer.completed', data: { status: 'success' } })
  })

  inBrowser('finds it in the log, and sends it again', async () => {
    await open('/dashboard/webhooks')
    const line = await textOf('tbody tr')
    for (const part of ['transfer.completed test', 'Delivered', '200', 'ms', 'thank you & <bye>', 'UTC'])
      expect(line).toContain(part)
    await press('Re-send')
    expect(await textOf('tbody tr')).toContain('2 by hand')
    expect([received.length, received[1]]).toEqual([2, received[0]!])
  })

  inBrowser('rotates the secret, and is told of a failure with the new one', async () => {
    await open('/dashboard/webhooks')
    await page.click('details.confirm summary')
    await press('Rotate it now')
    const shown = await textOf('.secret .whole')
    expect(shown).not.toBe(secret)
    secret = shown
    await open('/dashboard/webhooks')
    expect(await textOf('main')).not.toContain(secret)
    await page.click('input[value="failed"]')
    await press('Send a test event')
    expect([JSON.parse(received[2]!.body).data.status, isSigned(received[2]!)]).toEqual(['failed', true])
  })

  inBrowser('needs no script for any of this', async () => {
    await page.setJavaScriptEnabled(false)
    await open('/dashboard/webhooks')
    await press('Send a test event')
    expect(await textOf('.state')).toContain('Delivered')
    await page.setJavaScriptEnabled(true)
    expect(received.length).toBe(4)
  })

  inBrowser('makes a key, is paid, and sees the payment with its trace and its webhook', async () => {
    await open('/dashboard/keys')
    await page.type('input[name="name"]', 'server')
    await press('Create the key')
    const made = await textOf('.fresh .whole')
    await untilReady(network.url)
    const [, payer, shop] = await printedWallets(await network.status())
    const reply = await fetch(`${network.url}/api/merchant/v1/create-transfer`, {
      method: 'POST',
      headers: { 'x-api-key': made },
      body: JSON.stringify({
        amount: 1.25,
        asset: 'TON',
        senderAddr: payer!.address.toString(),
        recipientAddr: shop!.address.toString(),
        commentToRecipient: 'Oolong & <milk>',
      }),
    })
    const { message, reference } = (await reply.json()) as { message: Record<string, string>; reference: string }
    await open('/dashboard/transfers')
    expect(await textOf('tbody tr')).toContain('Pending')
    const order = internal({
      to: Address.parse(message['address']!),
      value: BigInt(message['amount']!),
      bounce: false,
      body: Cell.fromBase64(message['payload']!),
    })
    status = 503
    await sendFrom(new TonClient({ endpoint: network.rpc }), payer!, order)
    await until(async () => received[4], 'the webhook of the payment')
    expect(JSON.parse(received[4]!.body).data).toMatchObject({ reference, amount: '1.25', status: 'success' })
    await open(`/dashboard/transfers?reference=${reference}`)
    expect(await textOf('.state')).toContain('What was asked for has arrived')
    expect(await textOf('.trace')).toMatch(/Sender.*Recipient.*1\.25 TON.*Oolong & <milk> \(ref/s)
  })

  inBrowser('sees a webhook arrive that is tried again, without loading the page anew', async () => {
    await page.goto(
      network.url + (await page.$eval('td a[href*="delivery"]', (link) => link.getAttribute('href') ?? '')),
    )
    expect(await textOf('.state')).toContain('Waiting')
    status = 200
    await page.waitForFunction(`document.querySelector('.state').textContent.includes('Delivered')`)
    await page.waitForFunction(`document.querySelector('#delivery').textContent.includes('thank you & <bye>')`)
    expect(new Set(received.slice(4).map(({ body }) => body)).size).toBe(1)
  })
})

describe('the pages', () => {
  const followed = async (path: string, selector: string): Promise<string> => {
    await open(path)
    return page.$eval(selector, (link) => link.getAttribute('href') ?? '')
  }

  inBrowser('are whole and accessible, on a desktop and on a phone, by day and by night', async () => {
    const paths = [
      '/dashboard',
      '/dashboard/transfers',
      await followed('/dashboard/transfers', 'td a'),
      '/dashboard/keys',
      '/dashboard/webhooks',
      await followed('/dashboard/webhooks', 'td a'),
      '/dashboard/nowhere',
    ]
    for (const [viewport, value, rules] of [
      [DESKTOP, 'light', undefined],
      [PHONE, 'dark', CONTRAST],
    ] as const) {
      await page.setViewport(viewport)
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
      for (const path of paths) {
        await open(path)
        expect([path, viewport.width, await axeFindings(page, rules)]).toEqual([path, viewport.width, []])
        expect([path, viewport.width, await pixelsBeyond(page)]).toEqual([path, viewport.width, 0])
      }
    }
    seen.complaints.splice(0, seen.complaints.length, ...seen.complaints.filter((line) => !line.includes('404')))
  })

  inBrowser('are left by signing out', async () => {
    await open('/dashboard')
    const button = await page.$('.account button')
    await Promise.all([page.waitForNavigation(), button!.click()])
    expect(await textOf('[role="status"]')).toBe('You are signed out.')
    expect(await axeFindings(page)).toEqual([])
    await open('/dashboard/keys')
    expect(await textOf('h1')).toBe('Sign in')
  })

  inBrowser('ask no other machine, and break none of their own rules', async () => {
    expect([seen.foreign, seen.complaints]).toEqual([[], []])
  })
})
