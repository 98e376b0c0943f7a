import base from './schemes/base.tlb' with { type: 'text' }
import bidask from './schemes/bidask.tlb' with { type: 'text' }
import cocoon from './schemes/cocoon.tlb' with { type: 'text' }
import coffee from './schemes/coffee.tlb' with { type: 'text' }
import cron from './schemes/cron.tlb' with { type: 'text' }
import dedust from './schemes/dedust.tlb' with { type: 'text' }
import dns from './schemes/dns.tlb' with { type: 'text' }
import evaa from './schemes/evaa.tlb' with { type: 'text' }
import exchanges from './schemes/exchanges.tlb' with { type: 'text' }
import jettons from './schemes/jettons.tlb' with { type: 'text' }
import jvault from './schemes/jvault.tlb' with { type: 'text' }
import messages from './schemes/messages.tlb' with { type: 'text' }
import moon from './schemes/moon.tlb' with { type: 'text' }
import multisig from './schemes/multisig.tlb' with { type: 'text' }
import nft from './schemes/nft.tlb' with { type: 'text' }
import paymentChannels from './schemes/payment-channels.tlb' with { type: 'text' }
import pyth from './schemes/pyth.tlb' with { type: 'text' }
import staking from './schemes/staking.tlb' with { type: 'text' }
import stonfi from './schemes/stonfi.tlb' with { type: 'text' }
import storage from './schemes/storage.tlb' with { type: 'text' }
import storm from './schemes/storm.tlb' with { type: 'text' }
import telemint from './schemes/telemint.tlb' with { type: 'text' }
import tgbtc from './schemes/tgbtc.tlb' with { type: 'text' }
import tonco from './schemes/tonco.tlb' with { type: 'text' }
import wallets from './schemes/wallets.tlb' with { type: 'text' }

/**
 * The TL-B texts of bodies. Where several constructors share an opcode the first one that fits counts, in this order. A new
 * family is a file of its own and a line here.
 */
export const SCHEME_TEXTS: readonly string[] = [
  base,
  messages,
  jettons,
  nft,
  dns,
  telemint,
  wallets,
  multisig,
  paymentChannels,
  staking,
  storage,
  stonfi,
  dedust,
  tonco,
  bidask,
  coffee,
  moon,
  cocoon,
  evaa,
  jvault,
  tgbtc,
  cron,
  exchanges,
  storm,
  pyth,
]
