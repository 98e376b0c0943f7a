import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { html } from '../../../src/api/html.ts'

test('what is put in is escaped, in text and in attributes', () => {
  const text = `<img src=x onerror="alert('1')"> & more`
  expect(html`<p title="${text}">${text}</p>`.markup).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; more">&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; more</p>',
  )
})

test('markup stays markup, lists are joined, nothing stays nothing', () => {
  const none = [false, null, undefined, ''] as const
  expect(html`<ul>${['<a>', 'b'].map((item) => html`<li>${item}</li>`)}</ul>${none}${0}${12n}`.markup).toBe(
    '<ul><li>&lt;a&gt;</li><li>b</li></ul>012',
  )
})

test('no text can open a tag, or leave an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { markup } = html`${text}`
      expect(markup).not.toMatch(/[<>"']/)
      expect(markup.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
    }),
  )
})

test('what only looks like markup is text', () => {
  const forged = JSON.parse('{"text":"<b>"}') as { text: string }
  expect(html`${forged.text}`.markup).toBe('&lt;b&gt;')
})
