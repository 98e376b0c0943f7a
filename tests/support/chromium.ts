import puppeteer, { type Browser } from 'puppeteer-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The path of an installed Chromium, undefined where there is none. */
export const findChromium = (): string | undefined =>
  NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ?? undefined

/** Starts Chromium without a window and with no way to any other machine: names do not resolve. */
export const startChromium = (executablePath: string): Promise<Browser> =>
  puppeteer.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
  })
