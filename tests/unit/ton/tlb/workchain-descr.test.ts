import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { workchains } from '../../../../src/ton/tlb/workchain-descr.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { failureOf } from '../../../support/failure.ts'

const numbers = (builder: Builder, width: number, values: readonly number[]): Builder =>
  values.reduce((all, value) => all.uint(value, width), builder)
const label = <T>(fitting: readonly T[]): T => fitting[0]!

describe('parameter 12', () => {
  const hash = Buffer.alloc(32, 5)
  const head = (builder: Builder, tag: number, basic: boolean): Builder => {
    const start = numbers(builder.uint(tag, 8).uint(1, 32), 8, [0, 2, 8]).bit(basic).bit(true).bit(false)
    return start.uint(0, 13).bytes(hash).bytes(hash).uint(6, 32)
  }
  const read = (value: (builder: Builder) => Builder) => {
    const root = encodeDict([{ key: '1'.repeat(32), value }], 32, { label })
    return [...workchains(beginCell().maybeRef(root).endCell())]
  }
  const HEAD = {
    enabled_since: 1,
    monitor_min_split: 0,
    min_split: 2,
    max_split: 8,
    active: true,
    accept_msgs: false,
    flags: 0,
    zerostate_root_hash: hash,
    zerostate_file_hash: hash,
    version: 6,
  }

  test('of the first form', () => {
    expect(read((builder) => head(builder, 0xa6, true).uint(1, 4).int(-1, 32).uint(0, 64))).toEqual([
      [
        -1,
        {
          _: 'workchain',
          ...HEAD,
          basic: true,
          format: { _: 'wfmt_basic', vm_version: -1, vm_mode: 0n },
          split_merge_timings: null,
          persistent_state_split_depth: null,
        },
      ],
    ])
  })

  test('of the second form, with addresses of its own', () => {
    const format = (builder: Builder): Builder => numbers(builder.uint(0, 4), 12, [64, 512, 8]).uint(7, 32)
    const value = (builder: Builder): Builder =>
      numbers(format(head(builder, 0xa7, false)).uint(0, 4), 32, [100, 101, 102, 103]).uint(4, 8)
    expect(read(value)).toEqual([
      [
        -1,
        {
          _: 'workchain_v2',
          ...HEAD,
          basic: false,
          format: {
            _: 'wfmt_ext',
            min_addr_len: 64,
            max_addr_len: 512,
            addr_len_step: 8,
            workchain_type_id: 7,
          },
          split_merge_timings: {
            split_merge_delay: 100,
            split_merge_interval: 101,
            min_split_merge_interval: 102,
            max_split_merge_delay: 103,
          },
          persistent_state_split_depth: 4,
        },
      ],
    ])
  })

  test('of another tag or format is refused', () => {
    expect(failureOf(() => read((b) => head(b, 0xa5, true).uint(1, 4).int(0, 32).uint(0, 64)))).toBe('malformed')
    expect(failureOf(() => read((b) => head(b, 0xa6, true).uint(0, 4).int(0, 32).uint(0, 64)))).toBe('malformed')
  })
})
