import { join } from 'node:path'
import { finish } from '../../src/common/steps.ts'
import { opcodeName } from '../../src/contracts/opcodes.ts'
import { MATCHERS } from '../../src/indexer/actions/families.ts'
import { basicParts } from '../../src/indexer/classify/basic.ts'
import { rootsOf } from '../../src/indexer/classify/node.ts'
import { messageOf, type Part } from '../../src/indexer/classify/part.ts'
import { runMatchers } from '../../src/indexer/classify/run.ts'
import { rawAddressUpper } from '../../src/ton/address.ts'
import { failuresOf, recordedCases, recordedTrace } from './recorded-cases.ts'

/**
 * For whoever writes a family: `CASES=part-of-a-name bun tests/support/show-cases.ts` prints of each case whose family or
 * name has that text what differs, what matchers threw, and the parts before and after the matchers ran.
 */

const wanted = (process.env['CASES'] ?? '').toLowerCase()
const folder = join(process.env['TONLITH_CHAIN_DATA'] ?? '', 'traces')

const hex = (opcode: number): string => `0x${opcode.toString(16).padStart(8, '0')}`

const lineOf = (part: Part): string => {
  if (part.nodes.length === 0 || !part.nodes[0]!.message) return part.btype
  const { destination, opcode, value, created_lt } = messageOf(part)
  const name = opcode === null ? '' : ` ${hex(opcode)} ${opcodeName(opcode) ?? ''}`
  const to = destination ? rawAddressUpper(destination).slice(0, 10) : 'out'
  const count = part.nodes.length > 1 ? ` (${part.nodes.length} messages)` : ''
  return `${part.btype}${name} > ${to} value ${value} lt ${created_lt}${part.failed ? ' FAILED' : ''}${count}`
}

const treeText = (root: Part): string => {
  const lines: string[] = []
  const stack = [{ part: root, depth: 0 }]
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { part, depth } = at
    lines.push(`${'  '.repeat(depth + 1)}${lineOf(part)}`)
    for (const next of [...part.next].reverse()) stack.push({ part: next, depth: depth + 1 })
  }
  return lines.join('\n')
}

for (const [family, cases] of recordedCases(folder)) {
  for (const recorded of cases) {
    if (!`${family} ${recorded.name}`.toLowerCase().includes(wanted)) continue
    const thrown: string[] = []
    const failures = failuresOf(folder, recorded, (matcher, error) => thrown.push(`${matcher}: ${error}`))
    const { trace, facts } = recordedTrace(folder, recorded)
    const root = finish(basicParts(finish(rootsOf(trace))))
    console.log(`\n${family}: ${recorded.name} ${recorded.trace_file}\n${treeText(root)}`)
    finish(runMatchers(root, MATCHERS, facts, () => undefined))
    console.log(` folded:\n${treeText(root)}`)
    for (const line of failures) console.log(` DIFFERS ${line}`)
    for (const line of thrown) console.log(` THROWN ${line}`)
    if (failures.length === 0) console.log(' passes')
  }
}
