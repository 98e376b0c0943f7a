import { createCipheriv, hash, randomBytes, randomFillSync } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { encode } from '../ton/tl/codec.ts'
import { ed25519PublicKey, sharedSecret } from './curve25519.ts'

/*
 * ADNL over TCP. The client opens with 256 bytes: the id of the server's key, a throw-away public key, the checksum of
 * 160 random session bytes and these bytes, encrypted for the server. Both directions are AES-256-CTR streams from then
 * on, cut into packets: length (4 bytes, little-endian), nonce (32), payload, SHA-256 of nonce and payload (32). The
 * server confirms with an empty packet; one that does not own the key cannot read the session bytes and hangs up.
 */

/** Bytes of the client's opening. */
export const HELLO_LENGTH = 256
/** The longest packet, without its length word, that either side takes. */
export const MAX_PACKET = 1 << 24
const SESSION_LENGTH = 160
const NONCE_LENGTH = 32
const HASH_LENGTH = 32
const OVERHEAD = NONCE_LENGTH + HASH_LENGTH
const EMPTY = Buffer.alloc(0)

const digest = new Uint8Array(HASH_LENGTH)
/** Packets of usual size are put together here: the encrypted ones are new bytes. */
const outgoing = Buffer.alloc(1 << 12)

/** Random bytes are fetched for many nonces at once, each of which is used for one packet. */
const nonces = Buffer.alloc(NONCE_LENGTH * 128)
let noncesUsed = nonces.length

const writeNonce = (target: Buffer, at: number): void => {
  if (noncesUsed === nonces.length) {
    randomFillSync(nonces)
    noncesUsed = 0
  }
  nonces.copy(target, at, noncesUsed, noncesUsed + NONCE_LENGTH)
  noncesUsed += NONCE_LENGTH
}

/** Both directions of one opened channel. */
export interface Channel {
  /** Encrypts one packet. The stream is ordered: what was sealed must be sent in that order. */
  seal(payload: Uint8Array): Buffer
  /** Takes bytes as they arrive, gives the payloads that are complete. Throws `malformed`; the channel is dead then. */
  open(chunk: Uint8Array): Buffer[]
}

/** The short id of an Ed25519 key: SHA-256 of the boxed TL pub.ed25519. */
export const keyId = (key: Buffer): Buffer => hash('sha256', encode({ _: 'pub.ed25519', key }), 'buffer')

const cipher = (key: Uint8Array, nonce: Uint8Array) => createCipheriv('aes-256-ctr', key, nonce)

const packetReader = (decrypt: (chunk: Uint8Array) => Buffer, maxPacket: number) => {
  let pending = EMPTY
  let filled = 0
  let needed = 4

  const keep = (rest: Buffer): void => {
    pending = Buffer.allocUnsafe(Math.max(rest.length, Math.min(needed, 1 << 16)))
    rest.copy(pending)
    filled = rest.length
  }
  const append = (chunk: Buffer): Buffer => {
    if (filled === 0) return chunk
    if (filled + chunk.length > pending.length) {
      const bigger = Buffer.allocUnsafe(Math.max(filled + chunk.length, pending.length * 2))
      pending.copy(bigger, 0, 0, filled)
      pending = bigger
    }
    chunk.copy(pending, filled)
    filled += chunk.length
    return pending.subarray(0, filled)
  }
  /** The payload of the packet between two places, whose length word stands before them. */
  const unpack = (data: Buffer, from: number, to: number): Buffer => {
    const checksumAt = to - HASH_LENGTH
    Bun.SHA256.hash(data.subarray(from, checksumAt), digest)
    for (let i = 0; i < HASH_LENGTH; i++)
      if (digest[i] !== data[checksumAt + i]) throw new TonlithError('malformed', 'ADNL packet with a wrong checksum')
    return data.subarray(from + NONCE_LENGTH, checksumAt)
  }

  return (chunk: Uint8Array): Buffer[] => {
    const plain = decrypt(chunk)
    const stored = filled > 0
    const data = append(plain)
    if (data.length < needed) {
      if (!stored) keep(data)
      return []
    }
    const payloads: Buffer[] = []
    let at = 0
    for (;;) {
      needed = 4
      if (data.length - at < 4) break
      const length = data.readUInt32LE(at)
      if (length < OVERHEAD || length > maxPacket) throw new TonlithError('malformed', `ADNL packet of ${length} bytes`)
      needed = 4 + length
      if (data.length - at < needed) break
      payloads.push(unpack(data, at + 4, at + needed))
      at += needed
    }
    if (at === data.length) {
      pending = EMPTY
      filled = 0
    } else if (at > 0 || !stored) keep(data.subarray(at))
    return payloads
  }
}

const channel = (
  out: ReturnType<typeof cipher>,
  into: ReturnType<typeof cipher>,
  maxPacket: number,
  maxIncoming = maxPacket,
): Channel => ({
  seal: (payload) => {
    const length = payload.length + OVERHEAD
    if (length > maxPacket) throw new TonlithError('limit', `${payload.length} bytes do not fit into an ADNL packet`)
    const packet = 4 + length > outgoing.length ? Buffer.allocUnsafe(4 + length) : outgoing.subarray(0, 4 + length)
    packet.writeUInt32LE(length, 0)
    writeNonce(packet, 4)
    packet.set(payload, 4 + NONCE_LENGTH)
    const checksumAt = 4 + NONCE_LENGTH + payload.length
    Bun.SHA256.hash(packet.subarray(4, checksumAt), digest)
    packet.set(digest, checksumAt)
    return out.update(packet)
  },
  open: packetReader((chunk) => into.update(chunk), maxIncoming),
})

const sessionCipher = (secret: Buffer, checksum: Buffer) =>
  cipher(
    Buffer.concat([secret.subarray(0, 16), checksum.subarray(16, 32)]),
    Buffer.concat([checksum.subarray(0, 4), secret.subarray(20, 32)]),
  )

const halves = (session: Buffer) => ({
  first: cipher(session.subarray(0, 32), session.subarray(64, 80)),
  second: cipher(session.subarray(32, 64), session.subarray(80, 96)),
})

/**
 * The client's side: the opening for a server with this Ed25519 public key (32 bytes), and the channel that it starts.
 * Throws `invalid` when the key is no point of the curve.
 */
export const openChannel = (serverKey: Buffer, maxPacket = MAX_PACKET): { hello: Buffer; channel: Channel } => {
  const seed = randomBytes(32)
  const session = randomBytes(SESSION_LENGTH)
  const checksum = hash('sha256', session, 'buffer')
  const secret = sharedSecret(seed, serverKey)
  const hello = Buffer.concat([
    keyId(serverKey),
    ed25519PublicKey(seed),
    checksum,
    sessionCipher(secret, checksum).update(session),
  ])
  const { first, second } = halves(session)
  return { hello, channel: channel(second, first, maxPacket) }
}

/**
 * The server's side: the channel that a client's opening of 256 bytes starts, for a server with this Ed25519 seed (32
 * bytes). Packets from the client may have a shorter limit of their own. Throws `malformed` when the opening is for
 * another key or does not decrypt. The first packet to send is an empty one.
 */
export const acceptChannel = (
  hello: Buffer,
  serverSeed: Buffer,
  maxPacket = MAX_PACKET,
  maxIncoming = maxPacket,
): Channel => {
  if (hello.length !== HELLO_LENGTH || !hello.subarray(0, 32).equals(keyId(ed25519PublicKey(serverSeed))))
    throw new TonlithError('malformed', 'ADNL opening for another key')
  const checksum = hello.subarray(64, 96)
  let secret: Buffer
  try {
    secret = sharedSecret(serverSeed, hello.subarray(32, 64))
  } catch (cause) {
    throw new TonlithError('malformed', 'ADNL opening without a usable key', { cause })
  }
  const session = sessionCipher(secret, checksum).update(hello.subarray(96))
  if (!hash('sha256', session, 'buffer').equals(checksum))
    throw new TonlithError('malformed', 'ADNL opening that does not decrypt')
  const { first, second } = halves(session)
  return channel(first, second, maxPacket, maxIncoming)
}
