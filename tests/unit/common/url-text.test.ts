import { expect, test } from 'bun:test'
import { withoutCredentials } from '../../../src/common/url-text.ts'

test.each([
  ['https://ann:pass@host.example/global.json', 'https://(secret)@host.example/global.json'],
  ['free=1,own=5@http://token@10.0.0.1:8080/a', 'free=1,own=5@http://(secret)@10.0.0.1:8080/a'],
  ['HTTPS://a:b@h HTTP://c@i', 'HTTPS://(secret)@h HTTP://(secret)@i'],
  ['own=5@https://host.example/global.json', 'own=5@https://host.example/global.json'],
  ['https://host.example/a@b?c=d@e', 'https://host.example/a@b?c=d@e'],
  ['a=1@https://x.example/,b=2@https://y.example/', 'a=1@https://x.example/,b=2@https://y.example/'],
  ['/etc/tonlith/global.json', '/etc/tonlith/global.json'],
])('%s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown)
})
