import { describe, expect, test } from 'bun:test'
import { detectAccountState } from '../../src/contracts/account-state.ts'
import type { AccountState, PaymentChannelConfig } from '../../src/model/account-state.ts'
import { type Address, friendlyAddress } from '../../src/ton/address.ts'
import { contentsOf, readVariants, type Variant } from '../support/account-variants.ts'

const addressText = (address: Address | undefined): string => (address ? friendlyAddress(address) : '')

const channelConfig = (config: PaymentChannelConfig): Record<string, unknown> => ({
  alice_public_key: config.alice_public_key,
  bob_public_key: config.bob_public_key,
  init_timeout: config.init_timeout,
  close_timeout: config.close_timeout,
  channel_id: String(config.channel_id),
})

/** Amounts and ids in the form of the truth: int64 as decimal text, the others as numbers. */
const asTruth = (state: AccountState): Record<string, unknown> => {
  switch (state._) {
    case 'raw.accountState':
      return {}
    case 'uninited.accountState':
      return { frozen_hash: state.frozen_hash?.toString('base64') ?? '' }
    case 'pchan.accountState': {
      const { _, ...fields } = state.state
      const texts = Object.entries(fields).map(([key, value]) => [
        key,
        key === 'expire_at' ? Number(value) : typeof value === 'bigint' ? String(value) : value,
      ])
      return { config: channelConfig(state.config), state: { '@type': _, ...Object.fromEntries(texts) } }
    }
    case 'rwallet.accountState': {
      const limits = state.config.limits.map(({ seconds, value }) => ({ seconds, value: String(value) }))
      return {
        wallet_id: Number(state.wallet_id),
        seqno: state.seqno,
        unlocked_balance: String(state.unlocked_balance),
        config: { start_at: Number(state.config.start_at), limits },
      }
    }
    default: {
      const { _, wallet_id, ...rest } = state
      return { wallet_id: Number(wallet_id), ...rest }
    }
  }
}

/** The part of the truth that the variant has fields for. */
const expected = ({ truth }: Variant): Record<string, unknown> => {
  const { wallet_id, seqno, unlocked_balance, frozen_hash } = truth
  switch (truth.account_state) {
    case 'raw.accountState':
      return {}
    case 'uninited.accountState':
      return { frozen_hash: frozen_hash ?? '' }
    case 'pchan.accountState': {
      const { alice_public_key, bob_public_key, init_timeout, close_timeout, channel_id } = truth.config!
      const { note: _note, ...state } = truth.state as Record<string, unknown>
      return { config: { alice_public_key, bob_public_key, init_timeout, close_timeout, channel_id }, state }
    }
    case 'rwallet.accountState':
      return { wallet_id, seqno, unlocked_balance, config: truth.config }
    default:
      return seqno === undefined ? { wallet_id } : { wallet_id, seqno }
  }
}

const variants = readVariants()

describe('the recorded accounts of every state', () => {
  test('there are 68 of them, of all nine kinds', () => {
    expect(variants).toHaveLength(68)
    expect(new Set(variants.map(({ truth }) => truth.account_state)).size).toBe(9)
  })

  for (const variant of variants.filter(({ truth }) => !truth.expect)) {
    test(`${variant.label} gives what was put in`, () => {
      const { state, revision } = detectAccountState(contentsOf(variant))
      expect({ kind: state._, revision }).toEqual({
        kind: variant.truth.account_state as AccountState['_'],
        revision: variant.truth.revision,
      })
      expect(asTruth(state)).toEqual(expected(variant))
    })
  }

  for (const variant of variants.filter(({ truth }) => truth.expect)) {
    test(`${variant.label} is raw: ${variant.truth.expect}`, () => {
      const contents = contentsOf(variant)
      const { state, revision } = detectAccountState(contents)
      expect(revision).toBe(0)
      expect(state).toEqual({ _: 'raw.accountState', code: contents.code, data: contents.data, frozen_hash: null })
    })
  }

  for (const variant of variants) {
    const answer = variant.answer?.result?.account_state
    if (answer?.['@type'] !== 'pchan.accountState') continue
    test(`${variant.label} is described, and its parties named, as the reference does`, () => {
      const { state } = detectAccountState(contentsOf(variant))
      if (state._ !== 'pchan.accountState') throw new Error('not a payment channel')
      const { alice_address, bob_address } = answer['config'] as Record<string, { account_address: string }>
      expect(state.description).toBe(answer['description'] as string)
      expect(addressText(state.config.alice_address)).toBe(alice_address!.account_address)
      expect(addressText(state.config.bob_address)).toBe(bob_address!.account_address)
    })
  }
})
