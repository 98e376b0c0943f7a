import { afterEach, beforeEach, expect, test } from 'bun:test'
import { merchants } from '../../../src/cli/merchants.ts'
import { parseMerchantsCommand } from '../../../src/config/merchants-command.ts'
import type { Settings } from '../../../src/config.ts'
import { changeMerchant, findMerchantKey, listMerchants } from '../../../src/store/payments/merchants.ts'
import { friendlyAddress } from '../../../src/ton/address.ts'
import { addressNo } from '../../support/payment-samples.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { type TemporaryPayments, temporaryPayments } from '../../support/temporary-payments.ts'

/** `tonlith merchants` on a data folder that is open elsewhere, as a running server has it. */

let payments: TemporaryPayments
beforeEach(async () => {
  payments = await temporaryPayments()
})
afterEach(() => payments.remove())

const run = async (...args: string[]): Promise<string[]> => {
  const lines: string[] = []
  const settings = { data: payments.data, network: 'mainnet' } as Settings
  await merchants(parseMerchantsCommand(args).action, settings, (line) => lines.push(line))
  payments.store.renew()
  return lines
}
const named = (name: string) => listMerchants(payments.store).filter((merchant) => merchant.name === name)
const wallet = friendlyAddress(addressNo(5))

test('a merchant is made, changed and disabled', async () => {
  const [key, secret] = await run('add', 'shop', '--network', 'dev', '--wallet', wallet, '--webhook', 'http://a/b')
  expect(key).toMatch(/^api key tonlith_m_[\w-]{32}$/)
  expect(secret).toMatch(/^webhook secret whsec_[A-Za-z0-9+/]{43}=$/)
  const [made] = named('shop')
  expect(made).toMatchObject({ network: 'dev', wallet: addressNo(5), webhook: { url: 'http://a/b' }, disabled: null })
  expect(findMerchantKey(payments.store, key!.slice('api key '.length))?.merchant).toEqual(made!)
  const listed = await run('list')
  expect(listed).toHaveLength(2)
  expect(listed[1]).toContain(friendlyAddress(addressNo(5), { bounceable: false, testOnly: false }))
  expect(listed.join()).not.toContain(secret!.slice('webhook secret '.length))
  expect(await run('set', 'shop', '--name', 'till', '--wallet=', '--webhook=')).toEqual(['changed till'])
  expect(named('till')).toMatchObject([{ wallet: null, webhook: { url: null } }])
  expect(await run('revoke', 'till')).toEqual(['disabled till'])
  expect(named('till')).toMatchObject([{ disabled: expect.any(Number) }])
  expect(await rejectionOf(run('revoke', 'till'))).toMatchObject({ kind: 'notFound' })
})

test('keys are added and revoked, the secret of webhooks is replaced', async () => {
  const [first] = await run('add', 'shop')
  const [second] = await run('add-key', 'shop', 'second')
  expect(await rejectionOf(run('add-key', 'shop', 'second'))).toMatchObject({ kind: 'conflict' })
  expect(await run('revoke', 'shop', '--key', 'first')).toEqual(['revoked first of shop'])
  const revoked = (line: string) => findMerchantKey(payments.store, line.slice('api key '.length))?.key.revoked
  expect([revoked(first!), revoked(second!)]).toEqual([expect.any(Number), null])
  const [secret] = await run('rotate', 'shop')
  expect(named('shop')[0]!.webhook.secrets).toMatchObject([
    { secret: secret!.slice('webhook secret '.length), until: null },
    { until: expect.any(Number) },
  ])
})

test('what cannot be is refused, and nothing is kept of it', async () => {
  await run('add', 'shop')
  for (const [args, kind] of [
    [['add', 'shop'], 'conflict'],
    [['add', 'a', '--network', 'moon'], 'invalid'],
    [['add', 'a', '--wallet', 'EQ'], 'invalid'],
    [['add', 'a', '--webhook', 'ftp://x'], 'invalid'],
    [['set', 'nobody', '--wallet='], 'notFound'],
  ] as const)
    expect(await rejectionOf(run(...args))).toMatchObject({ kind })
  expect(listMerchants(payments.store)).toHaveLength(1)
})

test('one name on two networks is told apart', async () => {
  await run('add', 'shop')
  await run('add', 'shop', '--network', 'testnet')
  expect(await rejectionOf(run('rotate', 'shop'))).toMatchObject({ kind: 'invalid' })
  await run('revoke', 'shop', '--network', 'testnet')
  expect(await run('rotate', 'shop')).toHaveLength(1)
})

test('a webhook that nothing would be sent to is refused, and one that its merchant has set is told', async () => {
  const refusal = {
    kind: 'invalid',
    message: 'the webhook cannot be set: the URL is not one of https, and nothing else is sent to on mainnet',
  }
  expect(await rejectionOf(run('add', 'shop', '--webhook', 'http://a/b'))).toMatchObject(refusal)
  expect(listMerchants(payments.store)).toEqual([])
  await run('add', 'shop', '--webhook', 'https://a/b')
  expect(await rejectionOf(run('set', 'shop', '--name', 'till', '--webhook', 'http://a/b'))).toMatchObject(refusal)
  const [shop] = named('shop')
  expect(shop).toMatchObject({ webhook: { url: 'https://a/b' } })
  changeMerchant(payments.store, shop!.id, (found) => ({ ...found, webhook: { ...found.webhook, url: 'http://a/b' } }))
  expect(await run('set', 'shop', '--name', 'till')).toEqual([
    'changed till',
    'the webhook is ignored: the URL is not one of https',
  ])
})
