import {
  readTgbtcBurned,
  readTgbtcKeyMade,
  readTgbtcMinted,
  readTgbtcNewKey,
  TGBTC_BURNED,
  TGBTC_KEY_MADE,
  TGBTC_MINTED,
  TGBTC_NEW_KEY,
} from '../../contracts/tgbtc-events.ts'
import type { TraceMessage } from '../../model/trace.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf, type Told } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { burnTold, mintTold, newKeyTold } from './tgbtc-content.ts'

/** What was told the outside, where nothing of what led to it was made out. */
const toldOnly = (
  name: string,
  opcode: number,
  read: (message: TraceMessage) => Omit<Told, 'failed'> | undefined,
): Matcher => ({
  name,
  pattern: call(opcode, { bare: true }),
  isEvent: true,
  build: (start) => {
    const told = read(messageOf(start))
    return told && { ...told, failed: start.failed }
  },
})

export const tgbtcMintEvent = toldOnly('tgBTC mint, told only', TGBTC_MINTED, ({ source, body }) => {
  const said = readTgbtcMinted(body)
  return said && mintTold(said, source, null)
})

export const tgbtcBurnEvent = toldOnly('tgBTC burn, told only', TGBTC_BURNED, ({ body }) => {
  const said = readTgbtcBurned(body)
  if (!said) return undefined
  const { sender: source, pegout: destination, amount } = said
  return burnTold('tgbtc_burn_fallback', { source, source_wallet: null, destination, amount, asset: null })
})

export const tgbtcNewKeyEvent = toldOnly('tgBTC new key, told only', TGBTC_NEW_KEY, ({ source, body }) => {
  const said = readTgbtcNewKey(body)
  return said && newKeyTold(said, source, null)
})

export const tgbtcDkgEvent = toldOnly('tgBTC key agreed on, told only', TGBTC_KEY_MADE, ({ source, body }) => {
  const said = readTgbtcKeyMade(body)
  if (!said) return undefined
  const { pubkey, timestamp } = said
  return {
    btype: 'tgbtc_dkg_log',
    content: { type: 'tgbtc_dkg_log_fallback', details: { coordinator: source, pubkey, timestamp } },
    columns: { source, value: timestamp },
  }
})
