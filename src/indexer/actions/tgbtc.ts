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
import { JETTON_BURN_NOTIFICATION } from '../../contracts/token-messages.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, detailsOf, isEvent, messageOf, type Part } from '../classify/part.ts'
import { call, kind, maybe, only, type PartPattern, where } from '../classify/pattern.ts'
import { burnTold, mintTold, newKeyTold } from './tgbtc-content.ts'

const MINT_ASKED = 0x3f781d24
const MINT_PROVED = 0xe42a879b
const FORWARDED_NOTIFICATION = 0x587643a2
const KEY_GIVEN = 0x690f357a
const PEGOUT = 0xbe44e7a6
const PEGOUT_BEGUN = 0x1a84c0e0

/** What is told the outside with this opcode. */
const event = (opcode: number): PartPattern => only(call(opcode, { as: 'event' }), isEvent)

/** A contract is made that has Bitcoin sent, and gives back what is left. */
const pegout = maybe(call(PEGOUT, { children: [maybe(call(PEGOUT_BEGUN)), maybe(kind('ton_transfer'))] }))

/** The parts between a mint's end and the message that asked for it, that one last; undefined where nobody asked. */
const wayTo = (end: Part): Part[] | undefined => {
  const way: Part[] = []
  for (let part = end.previous; part && part.nodes.length > 0; part = part.previous) {
    way.push(part)
    if (calls(part, MINT_ASKED)) return way
  }
  return undefined
}

/** A payment on Bitcoin is proved, over as many messages as its proof takes, and jettons are minted for it. */
export const tgbtcMint: Matcher = {
  name: 'tgBTC mint',
  pattern: call(MINT_PROVED, {
    bare: true,
    children: [event(TGBTC_MINTED), kind('jetton_mint', { as: 'mint' })],
  }),
  build: (start, match) => {
    const told = messageOf(match.one('event')!)
    const mint = match.one('mint')!
    const said = readTgbtcMinted(told.body)
    const minted = detailsOf(mint, 'jetton_mint')
    const way = wayTo(start)
    const asked = way?.at(-1)
    if (!said || !minted || !way || !asked) return undefined
    const seen = { sender: messageOf(asked).source, asset: minted.asset, wallet: minted.receiver_jetton_wallet }
    return { ...mintTold(said, told.source, seen), with: way, failed: mint.failed }
  },
}

const notified = (opcode: number): PartPattern => call(opcode, { children: [event(TGBTC_BURNED), pegout] })

/** The lesser one: a fee is kept of what was burned, and not every contract tells of an amount. */
const burnedOf = (burned: bigint, told: bigint): bigint => (burned === 0n || told < burned ? told : burned)

/** Jettons are burned, and Bitcoin is to be sent for them. */
export const tgbtcBurn: Matcher = {
  name: 'tgBTC burn',
  pattern: kind('jetton_burn', {
    bare: true,
    child: { oneOf: [notified(JETTON_BURN_NOTIFICATION), notified(FORWARDED_NOTIFICATION)] },
  }),
  build: (start, match) => {
    const burn = detailsOf(start, 'jetton_burn')
    const said = readTgbtcBurned(messageOf(match.one('event')!).body)
    if (!burn || !said) return undefined
    const { owner: source, owner_jetton_wallet: source_wallet, asset } = burn
    const amount = burnedOf(burn.amount, said.amount)
    return {
      ...burnTold('tgbtc_burn', { source, source_wallet, destination: said.pegout, amount, asset }),
      failed: start.failed,
    }
  },
}

/** The signers agreed on a key and gave it to the contract that keeps the Bitcoin. */
export const tgbtcNewKey: Matcher = {
  name: 'tgBTC new key',
  pattern: call(KEY_GIVEN, {
    bare: true,
    children: [event(TGBTC_NEW_KEY), pegout],
    parent: where(() => true, { child: only(call(TGBTC_KEY_MADE, { as: 'made' }), isEvent) }),
  }),
  build: (start, match) => {
    const told = messageOf(match.one('event')!)
    const made = messageOf(match.one('made')!)
    const said = readTgbtcNewKey(told.body)
    const key = readTgbtcKeyMade(made.body)
    if (!said || !key) return undefined
    return { ...newKeyTold(said, told.source, { ...key, by: made.source }), failed: start.failed }
  },
}
