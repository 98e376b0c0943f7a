import { hash } from 'node:crypto'
import { ed25519PublicKey } from '../../liteserver/curve25519.ts'

/** An Ed25519 key pair: seed and public key, 32 bytes each. */
export interface DevKey {
  seed: Buffer
  publicKey: Buffer
}

const keyOf = (phrase: string): DevKey => {
  const seed = hash('sha256', phrase, 'buffer')
  return { seed, publicKey: ed25519PublicKey(seed) }
}

/**
 * The keys of the dev network. Anybody can make them from these phrases: they are the same at every start, so that tools
 * find the same network again, and protect nothing.
 */
export const VALIDATOR_KEY = keyOf('tonlith dev validator')
/** Its address in the network of nodes, where nobody is. Some clients read no validator without one. */
export const VALIDATOR_ADNL_ADDRESS = hash('sha256', 'tonlith dev validator address', 'buffer')
/** Signs changes of the configuration. */
export const CONFIG_KEY = keyOf('tonlith dev config master')
/** Signs the payouts of the faucet. */
export const FAUCET_KEY = keyOf('tonlith dev faucet')
