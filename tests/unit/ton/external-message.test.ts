import { describe, expect, test } from 'bun:test'
import { external, type StateInit, storeMessage, Address as TonCoreAddress, beginCell as tonCoreCell } from '@ton/core'
import fc from 'fast-check'
import type { TonlithError } from '../../../src/common/errors.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import {
  checkExternalMessage,
  externalMessage,
  initCell,
  MAX_MESSAGE_BYTES,
} from '../../../src/ton/external-message.ts'
import { parseMessage } from '../../../src/ton/tlb/message.ts'
import { parseStateInit } from '../../../src/ton/tlb/state-init.ts'
import { ordinaryCell } from '../../support/cell-arbitrary.ts'
import { cellTree } from '../../support/cell-tree.ts'
import { libraryCell, proofCell, prunedCell, updateCell } from '../../support/exotic-cells.ts'
import { recordedExternals } from '../../support/recorded-externals.ts'
import { toTonCore } from '../../support/ton-core.ts'

const EMPTY = beginCell().endCell()
const ADDRESS = { workchain: 0, hash: Buffer.alloc(32, 0xab) }
/** The head of a message to that account, up to its state. */
const head = () => beginCell().uint(0b10, 2).uint(0, 2).uint(0b100, 3).int(0, 8).bytes(ADDRESS.hash).coins(0n)

describe('an external message', () => {
  test('is written as the wallets of the recorded network wrote it', () => {
    let count = 0
    for (const { address, message } of recordedExternals()) {
      const { body, init } = parseMessage(message)
      const { code, data } = init ? parseStateInit(init) : { code: null, data: null }
      const made = externalMessage({ dest: address, body, init: code && data ? { code, data } : undefined })
      expect(made.hash()).toEqual(message.hash())
      count++
    }
    expect(count).toBeGreaterThan(1_000)
  })

  test('of any body is what @ton/core makes of it', () => {
    fc.assert(
      fc.property(ordinaryCell, fc.boolean(), (body, deploys) => {
        // With a larger body @ton/core moves the state into a cell of its own, tonlib the body.
        fc.pre(!deploys || body.bits <= 738)
        const init = deploys ? { code: EMPTY, data: body } : undefined
        const made = externalMessage({ dest: ADDRESS, body, init })
        const stateInit: StateInit | undefined = init && { code: toTonCore(init.code), data: toTonCore(init.data) }
        const theirs = external({
          to: new TonCoreAddress(0, ADDRESS.hash),
          body: toTonCore(body),
          ...(stateInit && { init: stateInit }),
        })
        expect(made.hash()).toEqual(tonCoreCell().store(storeMessage(theirs)).endCell().hash())
        checkExternalMessage(made, cellToBoc(made).length)
      }),
      { numRuns: 200 },
    )
  })

  test('of parts that no message may hold is refused, however deep they are', () => {
    for (const depth of [513, 1023, 1024]) {
      const deep = chain(depth)
      for (const [body, init] of [
        [deep, undefined],
        [EMPTY, { code: deep, data: EMPTY }],
        [EMPTY, { code: EMPTY, data: deep }],
      ] as const)
        expect(() => externalMessage({ dest: ADDRESS, body, init })).toThrow('external message is deeper than 512')
    }
  })

  test('deploys at the hash of its state', () => {
    const state = initCell({ code: EMPTY, data: EMPTY })
    expect(parseStateInit(state)).toMatchObject({ fixed_prefix_length: null, special: null, library: null })
  })

  test('has no workchain beyond 8 bits', () => {
    for (const workchain of [128, -129])
      expect(() => externalMessage({ dest: { ...ADDRESS, workchain }, body: EMPTY, init: undefined })).toThrow(
        `workchain ${workchain} does not exist`,
      )
  })

  test('takes an exotic body in a cell of its own', () => {
    const made = externalMessage({ dest: ADDRESS, body: libraryCell(Buffer.alloc(32)), init: undefined })
    expect(parseMessage(made)).toMatchObject({ body_in_ref: true })
  })
})

const chain = (depth: number): Cell => {
  let cell = EMPTY
  for (let i = 0; i < depth; i++) cell = beginCell().ref(cell).endCell()
  return cell
}

/** How the check refuses a cell; none when it does not. */
const textOf = (root: Cell, bytes = 100): string => {
  try {
    checkExternalMessage(root, bytes)
    return 'none'
  } catch (error) {
    const { kind, message } = error as TonlithError
    expect(kind).toBe('invalid')
    return message
  }
}

describe('what the network would not carry', () => {
  const good = externalMessage({ dest: ADDRESS, body: EMPTY, init: undefined })

  test('is too large', () => {
    expect(textOf(good, MAX_MESSAGE_BYTES + 1)).toBe('external message is larger than 65535 bytes')
    checkExternalMessage(good, MAX_MESSAGE_BYTES)
  })

  test('has too many cells, in all of its parts together', () => {
    const [code, data] = [cellTree(3_000, 1), cellTree(3_000, 2)]
    const build = (count: number) => () =>
      externalMessage({ dest: ADDRESS, body: cellTree(count), init: { code, data } })
    expect(build(2_192)).not.toThrow()
    expect(build(2_193)).toThrow('external message has more than 8192 cells')
  })

  test('is too deep', () => {
    const of = (depth: number) => externalMessage({ dest: ADDRESS, body: chain(depth), init: undefined })
    expect(of(512).depth()).toBe(512)
    checkExternalMessage(of(512), 100)
    const deeper = head().bit(false).bit(true).ref(chain(512)).endCell()
    expect(textOf(deeper)).toBe('external message is deeper than 512')
  })

  test('is no external-in message', () => {
    const text = 'CommonMsgInfo tag is not ext_in_msg_info'
    for (const tag of [0b00, 0b01, 0b11]) expect(textOf(beginCell().uint(tag, 2).uint(0, 600).endCell())).toBe(text)
    expect(textOf(EMPTY)).toBe(text)
    expect(textOf(beginCell().bit(true).endCell())).toBe(text)
  })

  test('ends early, or has something behind its end', () => {
    expect(textOf(beginCell().uint(0b10, 2).endCell())).toStartWith('external message cannot be read: ')
    const tail = head().bit(false).bit(true).bit(true).ref(EMPTY).endCell()
    expect(textOf(tail)).toBe('external message cannot be read: unread data in cell')
  })

  test('is for no account', () => {
    const short = beginCell().uint(0b10, 2).uint(0, 2).uint(3, 2).bit(false).uint(8, 9).int(0, 32).uint(1, 8)
    expect(textOf(short.coins(0n).bit(false).bit(false).endCell())).toBe(
      'destination of the external message is no account',
    )
    const outside = beginCell().uint(0b10, 2).uint(0, 4).coins(0n).bit(false).bit(false).endCell()
    expect(textOf(outside)).toStartWith('external message cannot be read: ')
  })

  test('brings a state that is none', () => {
    const broken = head().bit(true).bit(true).ref(EMPTY).bit(false).endCell()
    expect(textOf(broken)).toStartWith('external message cannot be read: ')
  })

  test('shows only a part of itself', () => {
    const pruned = prunedCell(1, [Buffer.alloc(32)], [0])
    expect(textOf(externalMessage({ dest: ADDRESS, body: pruned, init: undefined }))).toBe(
      'external message must have zero level',
    )
  })

  test('is an exotic cell', () => {
    expect(textOf(libraryCell(Buffer.alloc(32)))).toStartWith('external message cannot be read: ')
  })

  test('has an exotic body, which no node can open', () => {
    const exotic = [libraryCell(Buffer.alloc(32)), proofCell(EMPTY), updateCell(EMPTY, EMPTY)]
    for (const body of exotic) {
      expect(textOf(externalMessage({ dest: ADDRESS, body, init: undefined }))).toBe(
        'body of the external message is an exotic cell',
      )
      const within = beginCell().ref(body).endCell()
      expect(textOf(externalMessage({ dest: ADDRESS, body: within, init: undefined }))).toBe('none')
    }
  })

  test('is told from what it would carry, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), fc.nat(), (bytes, at) => {
        const boc = Buffer.from(cellToBoc(good))
        boc.set(bytes, at % (boc.length - 8))
        try {
          checkExternalMessage(parseBocRoot(boc), boc.length)
        } catch (error) {
          expect(['invalid', 'malformed', 'limit']).toContain((error as { kind: string }).kind)
        }
      }),
    )
  })
})
