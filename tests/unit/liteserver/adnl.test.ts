import { describe, expect, test } from 'bun:test'
import { createPublicKey, generateKeyPairSync, hash, randomBytes } from 'node:crypto'
import { acceptChannel, HELLO_LENGTH, keyId, MAX_PACKET, openChannel } from '../../../src/liteserver/adnl.ts'
import { ed25519PublicKey, isEd25519Key, sharedSecret } from '../../../src/liteserver/curve25519.ts'

const seed = Buffer.alloc(32, 7)
const key = ed25519PublicKey(seed)

const pair = () => {
  const { hello, channel } = openChannel(key)
  return { client: channel, server: acceptChannel(hello, seed) }
}

describe('keys', () => {
  test('the id of a key is the checksum of its boxed TL form', () => {
    const boxed = Buffer.concat([Buffer.from('c6b41348', 'hex'), key])
    expect(keyId(key)).toEqual(hash('sha256', boxed, 'buffer'))
  })

  test('both sides come to the same secret', () => {
    for (let i = 0; i < 20; i++) {
      const [a, b] = [randomBytes(32), randomBytes(32)]
      expect(sharedSecret(a, ed25519PublicKey(b))).toEqual(sharedSecret(b, ed25519PublicKey(a)))
    }
  })

  test('the public key is the one that the platform derives', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const own = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url')
    const theirs = createPublicKey(privateKey as never).export({ format: 'jwk' }).x!
    expect(ed25519PublicKey(own).toString('base64url')).toBe(theirs)
  })

  test.each([
    ['short', '00'.repeat(31)],
    ['the neutral element', `01${'00'.repeat(31)}`],
    ['order 2', `ec${'ff'.repeat(30)}7f`],
    ['order 4', '00'.repeat(32)],
    ['order 8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
    ['order 8, the other', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
    ['y not below the prime', 'ff'.repeat(32)],
    ['not on the curve', `02${'00'.repeat(31)}`],
  ])('no key: %s', (_, hex) => {
    expect(isEd25519Key(Buffer.from(hex, 'hex'))).toBe(false)
    expect(() => sharedSecret(seed, Buffer.from(hex, 'hex'))).toThrow('not an Ed25519 public key')
  })

  test('every key made from a seed is one', () => {
    for (let i = 0; i < 50; i++) expect(isEd25519Key(ed25519PublicKey(randomBytes(32)))).toBe(true)
  })
})

describe('handshake', () => {
  test('256 bytes, never the same twice', () => {
    const [a, b] = [openChannel(key).hello, openChannel(key).hello]
    expect(a.length).toBe(HELLO_LENGTH)
    expect(a.subarray(0, 32)).toEqual(keyId(key))
    expect(a.subarray(32)).not.toEqual(b.subarray(32))
  })

  test('a server with another key, a damaged or short opening: refused', () => {
    const { hello } = openChannel(key)
    expect(() => acceptChannel(hello, Buffer.alloc(32, 8))).toThrow('another key')
    expect(() => acceptChannel(hello.subarray(1), seed)).toThrow('another key')
    for (const at of [0, 31, 64, 95, 96, 255]) {
      const damaged = Buffer.from(hello)
      damaged[at]! ^= 1
      expect(() => acceptChannel(damaged, seed)).toThrow('ADNL opening')
    }
    const badKey = Buffer.from(hello)
    Buffer.alloc(32, 0xff).copy(badKey, 32)
    expect(() => acceptChannel(badKey, seed)).toThrow('without a usable key')
  })
})

describe('packets', () => {
  test('come out as they went in, however they are cut', () => {
    const { client, server } = pair()
    const payloads = [0, 1, 31, 32, 4096, 100_000, 3, 0, 70_000].map((length) => randomBytes(length))
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const)
      for (const step of [1, 3, 67, 5_000, 1 << 20]) {
        const stream = Buffer.concat(payloads.map((payload) => from.seal(payload)))
        const received: Buffer[] = []
        for (let at = 0; at < stream.length; at += step) received.push(...to.open(stream.subarray(at, at + step)))
        expect(received).toEqual(payloads)
      }
  })

  test('what was given out does not change later', () => {
    const { client, server } = pair()
    const first = server.open(client.seal(Buffer.from('first')))[0]!
    const [second] = [...server.open(client.seal(Buffer.from('other')).subarray(0, 20)), Buffer.alloc(0)]
    expect([first.toString(), second?.length]).toEqual(['first', 0])
  })

  test('a flipped bit anywhere is noticed', () => {
    for (const at of [4, 35, 36, 40, 41, 72]) {
      const { client, server } = pair()
      const packet = client.seal(Buffer.from('hello'))
      packet[at]! ^= 1
      expect(() => server.open(packet)).toThrow('wrong checksum')
    }
  })

  test('a length below 64 or over the limit is refused before anything is kept', () => {
    for (const length of [0, 63, MAX_PACKET + 1, 0xffffffff]) {
      const { client, server } = pair()
      const packet = client.seal(Buffer.alloc(0))
      const wrong = Buffer.alloc(4)
      wrong.writeUInt32LE((64 ^ length) >>> 0)
      for (let i = 0; i < 4; i++) packet[i]! ^= wrong[i]!
      expect(() => server.open(packet)).toThrow(`ADNL packet of ${length} bytes`)
    }
  })

  test('what does not fit is not sent', () => {
    const { client } = pair()
    expect(client.seal(Buffer.alloc(MAX_PACKET - 64)).length).toBe(MAX_PACKET + 4)
    expect(() => client.seal(Buffer.alloc(MAX_PACKET - 63))).toThrow('do not fit')
  })

  test('a long packet in tiny pieces costs about its own size in memory', () => {
    const { client, server } = pair()
    const packet = client.seal(Buffer.alloc(1 << 20))
    const before = process.memoryUsage().arrayBuffers
    for (let at = 0; at < packet.length - 1; at += 64)
      server.open(packet.subarray(at, Math.min(at + 64, packet.length - 1)))
    Bun.gc(true)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20)
    expect(server.open(packet.subarray(-1))).toEqual([Buffer.alloc(1 << 20)])
  })
})
