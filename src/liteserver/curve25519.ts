import { createPrivateKey, createPublicKey, diffieHellman, hash, type KeyObject, sign } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'

const P = (1n << 255n) - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex')
const X25519_PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex')
const X25519_PUBLIC = Buffer.from('302a300506032b656e032100', 'hex')

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  for (let b = base % P, e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * b) % P
    b = (b * b) % P
  }
  return result
}

const inverse = (value: bigint): bigint => power(value, P - 2n)
const modulo = (value: bigint): bigint => ((value % P) + P) % P

const readY = (key: Buffer): bigint => BigInt(`0x${Buffer.from(key).reverse().toString('hex')}`) & ((1n << 255n) - 1n)

const littleEndian = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()

/** True when the 32 bytes are a point of Ed25519 that can be a key: on the curve, not of small order. */
export const isEd25519Key = (key: Buffer): boolean => {
  if (key.length !== 32) return false
  const y = readY(key)
  if (y >= P) return false
  const yy = (y * y) % P
  const xx = (modulo(yy - 1n) * inverse(modulo(D * yy + 1n))) % P
  if (xx === 0n || power(xx, (P - 1n) / 2n) !== 1n) return false
  return !isSmallOrder(montgomeryU(y))
}

/** The x-coordinate on Curve25519 of the Ed25519 point with this y: (1 + y) / (1 - y). */
const montgomeryU = (y: bigint): bigint => (modulo(1n + y) * inverse(modulo(1n - y))) % P

/** Points whose order divides 8 double to a point of order 2 or 1 within two steps: their u is 0, 1, -1 or one of two more. */
const isSmallOrder = (u: bigint): boolean => {
  let x = u
  let z = 1n
  for (let i = 0; i < 3; i++) {
    const sum = modulo(x + z) ** 2n % P
    const difference = modulo(x - z) ** 2n % P
    const product = modulo(sum - difference)
    x = (sum * difference) % P
    z = (product * ((difference + 121666n * product) % P)) % P
  }
  return z === 0n
}

const ed25519Private = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([ED25519_PRIVATE, seed]), format: 'der', type: 'pkcs8' })

/** The public key, 32 bytes, of an Ed25519 seed of 32 bytes. */
export const ed25519PublicKey = (seed: Buffer): Buffer =>
  createPublicKey(ed25519Private(seed)).export({ format: 'der', type: 'spki' }).subarray(-32)

/**
 * The X25519 secret of two Ed25519 keys: a seed and the other side's public key, 32 bytes each. Throws `invalid` when
 * the public key is none.
 */
export const sharedSecret = (seed: Buffer, publicKey: Buffer): Buffer => {
  if (!isEd25519Key(publicKey)) throw new TonlithError('invalid', 'not an Ed25519 public key')
  const scalar = hash('sha512', seed, 'buffer').subarray(0, 32)
  return diffieHellman({
    privateKey: createPrivateKey({ key: Buffer.concat([X25519_PRIVATE, scalar]), format: 'der', type: 'pkcs8' }),
    publicKey: createPublicKey({
      key: Buffer.concat([X25519_PUBLIC, littleEndian(montgomeryU(readY(publicKey)))]),
      format: 'der',
      type: 'spki',
    }),
  })
}

/** The Ed25519 signature, 64 bytes, of `data` under a seed of 32 bytes. */
export const signEd25519 = (seed: Buffer, data: Buffer): Buffer => sign(null, data, ed25519Private(seed))
