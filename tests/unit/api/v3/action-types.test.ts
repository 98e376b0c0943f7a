import { expect, test } from 'bun:test'
import { supportedTypes } from '../../../../src/api/v3/action-types.ts'
import { ACTION_TYPES } from '../../../../src/store/action-types.ts'

test('who says nothing knows the latest types', () => {
  const types = supportedTypes([])
  for (const type of ['ton_transfer', 'multisig_execute', 'nft_purchase', 'cocoon_grant_refund', 'unknown'])
    expect(types.has(type)).toBe(true)
  expect(types.has('tgbtc_mint')).toBe(false)
})

test('sets hold older ones, and everybody knows the first', () => {
  expect(supportedTypes(['v3']).has('vesting_send_message')).toBe(true)
  expect(supportedTypes(['v3']).has('cocoon_worker_payout')).toBe(false)
  expect(supportedTypes(['v2']).has('nft_purchase')).toBe(false)
  const few = supportedTypes(['nft.v3', 'tgbtc_burn', 'of_tomorrow'])
  for (const type of ['call_contract', 'nft_mint', 'nft_purchase', 'tgbtc_burn', 'of_tomorrow'])
    expect(few.has(type)).toBe(true)
  expect(few.has('vesting_add_whitelist')).toBe(false)
  expect(supportedTypes(['tgbtc']).has('tgbtc_dkg_log_fallback')).toBe(true)
})

test('every type that there is stands in a set', () => {
  const types = supportedTypes(['latest', 'tgbtc'])
  expect(ACTION_TYPES.filter((type) => !types.has(type))).toEqual([])
})
