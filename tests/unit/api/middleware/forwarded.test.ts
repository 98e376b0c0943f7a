import { describe, expect, test } from 'bun:test'
import { forwardedRequest } from '../../../../src/api/middleware/forwarded.ts'
import { NO_PROXIES, proxiesOf } from '../../../../src/common/proxies.ts'

const request = (headers: Record<string, string>) => ({ headers: new Headers(headers), url: 'http://own.example/x' })
const TRUSTED = proxiesOf(['10.0.0.0/8'])!

describe('how a request was made', () => {
  test('is what a trusted proxy tells', () => {
    const headers = { host: 'inner:80', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'Shop.Example' }
    expect(forwardedRequest(request(headers), '10.0.0.1', TRUSTED)).toEqual({ secure: true, host: 'shop.example' })
    expect(forwardedRequest(request(headers), '10.0.0.1', { hops: 1 })).toEqual({ secure: true, host: 'shop.example' })
  })

  test('may stand in Forwarded', () => {
    const headers = {
      host: 'inner',
      forwarded: 'for=1.2.3.4;proto=https;host="shop.example:8443", for=10.0.0.9;proto=http',
    }
    expect(forwardedRequest(request(headers), '10.0.0.1', TRUSTED)).toEqual({
      secure: true,
      host: 'shop.example:8443',
    })
  })

  test('is not what anybody else tells', () => {
    const headers = {
      host: 'own:1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil',
      forwarded: 'proto=https',
    }
    expect(forwardedRequest(request(headers), '8.8.8.8', TRUSTED)).toEqual({ secure: false, host: 'own:1' })
    expect(forwardedRequest(request(headers), '10.0.0.1', NO_PROXIES)).toEqual({ secure: false, host: 'own:1' })
  })

  test('is told by the URL where there is no Host', () => {
    expect(forwardedRequest(request({}), '', NO_PROXIES)).toEqual({ secure: false, host: 'own.example' })
    expect(forwardedRequest({ headers: new Headers(), url: '/x' }, '', NO_PROXIES).host).toBe('')
  })
})
