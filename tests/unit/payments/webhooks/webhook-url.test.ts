import { expect, test } from 'bun:test'
import { readWebhookUrl } from '../../../../src/payments/webhooks/webhook-url.ts'

const read = (text: string, network: 'mainnet' | 'testnet' | 'dev' = 'mainnet') => {
  const url = readWebhookUrl(text, network)
  return typeof url === 'string' ? url : url.href
}

test('mainnet takes https alone, the others http too', () => {
  expect(read('https://shop.example/hook?a=1')).toBe('https://shop.example/hook?a=1')
  expect(read('http://shop.example/hook')).toBe('the URL is not one of https')
  expect(read('HTTP://shop.example/hook', 'testnet')).toBe('http://shop.example/hook')
  expect(read('http://localhost:3000', 'dev')).toBe('http://localhost:3000/')
})

test('what is no URL of the web, or names somebody, is refused', () => {
  for (const text of ['', 'shop.example', '//shop.example', 'ftp://shop.example', 'file:///etc/passwd', 'javascript:0'])
    expect(read(text, 'dev')).toBe('the URL is none')
  for (const text of [
    'https://',
    'https:///',
    'https:shop.example',
    'https://a b/',
    'https://[::1',
    'https://x:99999/',
  ])
    expect(read(text, 'dev')).toBe('the URL is none')
  for (const text of ['https://user@shop.example', 'https://user:word@shop.example', 'https://:word@shop.example'])
    expect(read(text)).toBe('the URL has a user name or a password in it')
  expect(read(`https://shop.example/${'a'.repeat(2048)}`)).toBe('the URL is too long')
})

test('a fragment is not kept, and the host is written in one way', () => {
  expect(read('https://shop.example/a#b')).toBe('https://shop.example/a')
  expect(read('https://0x7f.1/')).toBe('https://127.0.0.1/')
  expect(read('https://ÄPFEL.example/')).toBe('https://xn--pfel-koa.example/')
})
