import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { loadAugDict } from '../../src/ton/tlb/aug-dict.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { type BurningConfig, burnedFees } from '../../src/ton/tlb/burning-config.ts'
import { addCurrencies, loadCurrencyCollection, NO_CURRENCY, subtractCurrencies } from '../../src/ton/tlb/currency.ts'
import { parseInMsgDescr } from '../../src/ton/tlb/in-msg.ts'
import { parseMcBlockExtra } from '../../src/ton/tlb/mc-block-extra.ts'
import { parseValueFlow } from '../../src/ton/tlb/value-flow.ts'

const data = process.env['TONLITH_CHAIN_DATA']

/** Configuration parameter 5 of mainnet since 2023. */
const HALF: BurningConfig = { blackhole_addr: null, fee_burn_num: 1, fee_burn_denom: 2 }

/** What our rules burn and leave of the fees of a masterchain block, beside what it says; undefined where it burns nothing. */
const feesOf = (root: Cell) => {
  const { value_flow, extra } = parseBlock(root)
  const { custom, account_blocks, in_msg_descr } = parseBlockExtra(extra)
  const flow = parseValueFlow(value_flow)
  if (!custom || !flow.burned) return undefined
  const { fees, create } = parseMcBlockExtra(custom).shard_fees.extra
  const own = addCurrencies(loadAugDict(beginParse(account_blocks), loadCurrencyCollection).extra, {
    ...NO_CURRENCY,
    grams: parseInMsgDescr(in_msg_descr).extra.fees_collected,
  })
  const burned = addCurrencies(burnedFees(HALF, subtractCurrencies(fees, create)), burnedFees(HALF, own))
  const collected = subtractCurrencies([fees, own, flow.created].reduce(addCurrencies), burned)
  return { ours: [burned.grams, collected.grams], theirs: [flow.burned.grams, flow.fees_collected.grams] }
}

test('masterchain blocks burn half of the fees, each half rounded down', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no blocks of public networks are read')
  const folder = join(data, 'blocks')
  let compared = 0
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.boc')) continue
    const fees = feesOf(parseBocRoot(readFileSync(join(folder, file))))
    if (!fees) continue
    expect({ file, fees: fees.ours }).toEqual({ file, fees: fees.theirs })
    compared++
  }
  console.log(`public networks: ${compared} masterchain blocks that burn`)
  expect(compared).toBeGreaterThan(0)
})
