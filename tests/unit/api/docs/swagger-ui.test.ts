import { describe, expect, test } from 'bun:test'
import { ask, smallApp } from '../../../support/small-app.ts'

const app = smallApp()

describe('the documentation page', () => {
  test('consists of files of this program alone', async () => {
    const page = await ask(app, '/docs')
    const links = [...page.text.matchAll(/<(?:script src|link [^>]*href)="([^"]+)"/g)].map(([, link]) => link!)
    expect(links.length).toBe(4)
    for (const link of links) {
      expect(link).toStartWith('/docs/')
      const file = await ask(app, link)
      expect([link, file.status]).toEqual([link, 200])
      expect(file.text.length).toBeGreaterThan(50)
    }
  })

  test('leads to the other ones', async () => {
    for (const from of ['/docs', '/docs/v3']) {
      const links = [...(await ask(app, from)).text.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link!)
      expect(links).toEqual(['/docs', '/docs/v3', '/docs/merchant'])
    }
  })

  test('names the type of each file and lets browsers take it for nothing else', async () => {
    const types = {
      '/docs': 'text/html; charset=utf-8',
      '/docs/start.js': 'text/javascript; charset=utf-8',
      '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
      '/docs/swagger-ui.css': 'text/css; charset=utf-8',
      '/docs/icon.png': 'image/png',
    }
    for (const [path, type] of Object.entries(types)) {
      const { headers } = await ask(app, path)
      expect(headers.get('content-type')).toBe(type)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('may load nothing from elsewhere and run nothing inline', async () => {
    const policy = (await ask(app, '/docs')).headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    const { text } = await ask(app, '/docs')
    expect(text).not.toMatch(/<script>|<style|style=|\son\w+=/)
  })
})
