import { describe, expect, test } from 'bun:test'
import { parseCommandLine } from '../../../src/config/command-line.ts'
import { parseDevCommand } from '../../../src/config/dev-command.ts'
import { UsageError } from '../../../src/config/usage-error.ts'

const flags = new Map<string, string>()

describe('understands', () => {
  test.each([
    ['status', { action: 'status' }],
    ['faucet EQx 1.000000001', { action: 'faucet', address: 'EQx', amount: 1_000_000_001n }],
    ['faucet -1:33 7', { action: 'faucet', address: '-1:33', amount: 7_000_000_000n }],
    ['mine', { action: 'mine', blocks: 1 }],
    ['mine 12', { action: 'mine', blocks: 12 }],
    ['time now', { action: 'time' }],
    ['time +3600', { action: 'time', advance: 3600 }],
    ['time 1900000000', { action: 'time', now: 1_900_000_000 }],
    ['split C000000000000000', { action: 'split', shard: 'c000000000000000' }],
    ['merge 4000000000000000', { action: 'merge', shard: '4000000000000000' }],
    ['config -17 file.boc', { action: 'config', param: -17, file: 'file.boc' }],
    ['snapshot before-it', { action: 'snapshot', name: 'before-it' }],
    ['restore before-it', { action: 'restore', name: 'before-it' }],
    ['load accounts.json', { action: 'load', file: 'accounts.json' }],
  ])('%s', (line, action) => {
    expect(parseDevCommand(line.split(' '))).toEqual({
      action: action as ReturnType<typeof parseDevCommand>['action'],
      flags,
    })
  })

  test('where the network is', () => {
    expect(parseCommandLine(['dev', 'mine', '2', '--listen', '127.0.0.1:9'])).toEqual({
      verb: 'dev',
      action: { action: 'mine', blocks: 2 },
      flags: new Map([['listen', '127.0.0.1:9']]),
    })
  })
})

describe('refuses', () => {
  test.each([
    ['mina', 'tonlith dev does not know mina: status, faucet, mine,'],
    ['faucet', 'tonlith dev faucet needs ADDRESS: tonlith dev faucet ADDRESS AMOUNT'],
    ['faucet EQx', 'tonlith dev faucet needs AMOUNT'],
    ['faucet EQx 0', 'AMOUNT must be TON'],
    ['faucet EQx 1.0000000001', 'AMOUNT must be TON'],
    ['faucet EQx 1 2', 'tonlith dev faucet does not take the word 2'],
    ['mine 0', 'N must be a whole number from 1 to 10000'],
    ['mine -1', 'N must be a whole number'],
    ['mine 1.5', 'N must be a whole number'],
    ['time +0', 'SECONDS must be a whole number'],
    ['time yesterday', 'UNIX must be a whole number'],
    ['split 8', 'SHARD must be 16 hexadecimal digits'],
    ['config x file', 'PARAM must be the number of a parameter'],
    ['snapshot ../x', 'NAME must be'],
    ['restore', 'tonlith dev restore needs NAME'],
    ['status --shards 2', 'tonlith dev status has no flag --shards'],
  ])('%s', (line, message) => {
    expect(() => parseDevCommand(line.split(' '))).toThrow(UsageError)
    expect(() => parseDevCommand(line.split(' '))).toThrow(message)
  })
})
