import base from './schemes/base.tlb' with { type: 'text' }
import jettons from './schemes/jettons.tlb' with { type: 'text' }
import messages from './schemes/messages.tlb' with { type: 'text' }
import nft from './schemes/nft.tlb' with { type: 'text' }
import wallets from './schemes/wallets.tlb' with { type: 'text' }

/**
 * The TL-B texts of bodies. Where several constructors share an opcode the first one that fits counts, in this order. A new
 * family is a file of its own and a line here.
 */
export const SCHEME_TEXTS: readonly string[] = [base, messages, jettons, nft, wallets]
