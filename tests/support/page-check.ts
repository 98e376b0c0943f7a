import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'

/** The accessibility checker, as a script for pages; it is a dependency of the tests alone. */
const AXE = readFileSync(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'), 'utf8')

/** What depends on the colours of the page alone. */
export const CONTRAST = ['color-contrast', 'link-in-text-block']

const runOf = (rules: readonly string[] | undefined): string => {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  return `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(
    ({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.slice(0, 3).map(({ html }) => html) })))`
}

/** What axe finds that is wrong with a page, as far as it matters. */
export interface AxeFinding {
  readonly id: string
  readonly impact: string
  readonly help: string
  /** The first elements that it is about. */
  readonly nodes: readonly string[]
}

/**
 * Has axe look at the page as it is shown; gives all that is moderate, serious or critical.
 * @param rules those that it looks at; left out, all
 */
export const axeFindings = async (page: Page, rules?: readonly string[]): Promise<AxeFinding[]> => {
  await page.evaluate(AXE)
  const findings = (await page.evaluate(runOf(rules))) as AxeFinding[]
  return findings.filter(({ impact }) => impact !== 'minor')
}

/** How many pixels of the page stand beyond the right edge of the screen. */
export const pixelsBeyond = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth') as Promise<number>

/** Collects what a page asks of other machines, and what it complains about. */
export const watchPage = (page: Page, origin: string): { foreign: string[]; complaints: string[] } => {
  const [foreign, complaints]: [string[], string[]] = [[], []]
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) foreign.push(url)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { foreign, complaints }
}
