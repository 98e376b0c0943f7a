/** Bun writes a text of characters up to U+00FF into a buffer with this in half the time that `write` takes. */
type Latin1Buffer = Buffer & { latin1Write(text: string, at: number): number }

const latin1Buffer = (bytes: number): Latin1Buffer => Buffer.allocUnsafeSlow(bytes) as Latin1Buffer

const FEW = 1 << 16
/** A longer buffer is given back after use. */
const MAX_KEPT = 1 << 20

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE64 = Buffer.from(`${LETTERS}+/`)
const BASE64_URL = Buffer.from(`${LETTERS}-_`)
const HEX_UPPER = Buffer.from('0123456789ABCDEF')
const PADDING = 0x3d

/**
 * Puts a long text together in bytes: a string for each part of it, and for the text of parts, takes several times as long.
 * One writer serves one text after the other.
 */
export class ByteWriter {
  private buffer = latin1Buffer(FEW)
  private at = 0
  private isAscii = true

  /** The text that `write` writes, which must not use this writer for another one. */
  collect(write: (out: this) => void): string {
    this.at = 0
    this.isAscii = true
    write(this)
    const text = this.buffer.toString(this.isAscii ? 'latin1' : 'utf8', 0, this.at)
    if (this.buffer.length > MAX_KEPT) this.buffer = latin1Buffer(FEW)
    return text
  }

  /** Text of ASCII characters, as it is. */
  ascii(text: string): this {
    this.reserve(text.length)
    this.buffer.latin1Write(text, this.at)
    this.at += text.length
    return this
  }

  /** Any text, as it is. */
  text(text: string): this {
    this.reserve(text.length * 3)
    const written = this.buffer.write(text, this.at)
    this.isAscii &&= written === text.length
    this.at += written
    return this
  }

  /** Standard base64 of bytes. */
  base64(bytes: Uint8Array): this {
    return this.base64With(BASE64, bytes)
  }

  /** URL-safe base64 of bytes, with padding. */
  base64Url(bytes: Uint8Array): this {
    return this.base64With(BASE64_URL, bytes)
  }

  private base64With(alphabet: Buffer, bytes: Uint8Array): this {
    const { length } = bytes
    this.reserve(Math.ceil(length / 3) * 4)
    const { buffer } = this
    const rest = length % 3
    let { at } = this
    let i = 0
    for (const end = length - rest; i < end; i += 3, at += 4) {
      const triple = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!
      buffer[at] = alphabet[triple >> 18]!
      buffer[at + 1] = alphabet[(triple >> 12) & 63]!
      buffer[at + 2] = alphabet[(triple >> 6) & 63]!
      buffer[at + 3] = alphabet[triple & 63]!
    }
    if (rest > 0) {
      const last = (bytes[i]! << 16) | (rest === 2 ? bytes[i + 1]! << 8 : 0)
      buffer[at] = alphabet[last >> 18]!
      buffer[at + 1] = alphabet[(last >> 12) & 63]!
      buffer[at + 2] = rest === 2 ? alphabet[(last >> 6) & 63]! : PADDING
      buffer[at + 3] = PADDING
      at += 4
    }
    this.at = at
    return this
  }

  /** Upper-case hex of bytes. */
  hexUpper(bytes: Uint8Array): this {
    this.reserve(bytes.length * 2)
    const { buffer } = this
    let { at } = this
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!
      buffer[at++] = HEX_UPPER[byte >> 4]!
      buffer[at++] = HEX_UPPER[byte & 15]!
    }
    this.at = at
    return this
  }

  private reserve(bytes: number): void {
    const needed = this.at + bytes
    if (needed <= this.buffer.length) return
    const longer = latin1Buffer(Math.max(needed, this.buffer.length * 2))
    this.buffer.copy(longer, 0, 0, this.at)
    this.buffer = longer
  }
}
