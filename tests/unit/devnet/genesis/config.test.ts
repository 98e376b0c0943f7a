import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig.js'
import { intAt } from '../../../../src/contracts/get-methods.ts'
import { CONFIG_ADDRESS, ELECTOR_ADDRESS } from '../../../../src/devnet/genesis/config.ts'
import { configSeqno, paramMessage, paramOrder } from '../../../../src/devnet/genesis/config-message.ts'
import { createGenesis } from '../../../../src/devnet/genesis/genesis.ts'
import { GLOBAL_ID } from '../../../../src/devnet/genesis/global-id.ts'
import { VALIDATOR_ADNL_ADDRESS, VALIDATOR_KEY } from '../../../../src/devnet/genesis/keys.ts'
import { MASTERCHAIN_WALLET } from '../../../../src/devnet/genesis/wallets.ts'
import { MASTERCHAIN } from '../../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../../src/ton/boc.ts'
import { beginCell, sliceToCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { dictEntries } from '../../../../src/ton/dictionary.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { configAddresses } from '../../../../src/ton/tlb/config-addresses.ts'
import { configParam, configParams } from '../../../../src/ton/tlb/config-params.ts'
import { parseToMint } from '../../../../src/ton/tlb/currency.ts'
import { isFundamentalSmc } from '../../../../src/ton/tlb/fundamental-smc.ts'
import { parseGlobalVersion } from '../../../../src/ton/tlb/global-version.ts'
import { parseMessage } from '../../../../src/ton/tlb/message.ts'
import { parseTransactionDescr } from '../../../../src/ton/tlb/transaction-descr.ts'
import { parseValidatorSet } from '../../../../src/ton/tlb/validators.ts'
import { genesisLedger } from '../../../support/genesis-ledger.ts'
import { recordedExternals } from '../../../support/recorded-externals.ts'

setDefaultTimeout(60_000)

const gen_utime = 1_800_000_000
const genesis = createGenesis({ gen_utime, shards: 2 })
const mainnet = parseBocRoot(Buffer.from(defaultConfig, 'base64'))
const config = { workchain: MASTERCHAIN, hash: CONFIG_ADDRESS }
const elector = { workchain: MASTERCHAIN, hash: ELECTOR_ADDRESS }

describe('the configuration of a new network', () => {
  const ours = new Map(configParams(genesis.config))

  test("is mainnet's but for the parties", () => {
    const theirs = new Map(configParams(mainnet))
    const differs = [...theirs.keys()].filter(
      (index) => ours.get(index)?.hash().equals(theirs.get(index)!.hash()) !== true,
    )
    const missing = differs.filter((index) => !ours.has(index))
    expect(differs.filter((index) => ours.has(index))).toEqual([2, 7, 8, 12, 28, 31, 34])
    expect(missing).toEqual([4, 32, 36, 71, 72, 79, -999, -90, -71])
    expect([...ours.keys()].filter((index) => !theirs.has(index))).toEqual([])
  })

  test('has every parameter that it says it must have', () => {
    const mandatory = [...dictEntries(beginParse(configParam(genesis.config, 9)!), 32)]
    expect(mandatory.length).toBeGreaterThan(10)
    for (const [key] of mandatory) expect(ours.has(key.readInt32BE(0))).toBe(true)
  })

  test('names accounts that are there', () => {
    expect(configAddresses(genesis.config)).toEqual({
      config_addr: CONFIG_ADDRESS,
      elector_addr: ELECTOR_ADDRESS,
      minter_addr: MASTERCHAIN_WALLET.address.hash,
      fee_collector_addr: ELECTOR_ADDRESS,
      dns_root_addr: null,
    })
    for (const id of [CONFIG_ADDRESS, ELECTOR_ADDRESS]) expect(isFundamentalSmc(genesis.config, id)).toBe(true)
    expect(isFundamentalSmc(genesis.config, MASTERCHAIN_WALLET.address.hash)).toBe(false)
    expect(parseToMint(configParam(genesis.config, 7)!)).toEqual([])
  })

  test("has mainnet's global id, and the version that it needs", () => {
    expect(beginParse(configParam(genesis.config, 19)!).int(32)).toBe(GLOBAL_ID)
    expect(parseGlobalVersion(configParam(genesis.config, 8)!).version).toBeGreaterThanOrEqual(13)
  })

  test('has one validator', () => {
    expect(parseValidatorSet(configParam(genesis.config, 34)!)).toEqual({
      utime_since: gen_utime,
      utime_until: 0x7fffffff,
      total: 1,
      main: 1,
      total_weight: 1n,
      list: [{ public_key: VALIDATOR_KEY.publicKey, weight: 1n, adnl_addr: VALIDATOR_ADNL_ADDRESS }],
    })
  })
})

const paramsOf = (state: Cell | null): Cell => state!.ref(0)

describe('the config contract', () => {
  const comment = beginCell().bytes(Buffer.from('a parameter')).endCell()

  test('sets a parameter by an order of the config master', async () => {
    const ledger = await genesisLedger(genesis)
    const change = {
      index: -100,
      value: comment,
      seqno: configSeqno(genesis.masterchain.root),
      valid_until: ledger.now + 60,
    }
    expect(change.seqno).toBe(0)
    const { executed, transactions } = ledger.send(paramMessage(change))
    expect(executed.done).toBe(true)
    expect(parseTransactionDescr(transactions[0]!.description)).toMatchObject({ aborted: false })
    const account = ledger.account(config)
    if (account._ !== 'account' || account.storage.state._ !== 'account_active') throw new Error('no config contract')
    const changed = paramsOf(account.storage.state.data)
    expect(configParam(changed, -100)!.hash()).toEqual(comment.hash())
    expect([...configParams(changed)].length).toBe([...configParams(genesis.config)].length + 1)
    expect(beginParse(account.storage.state.data!).uint(32)).toBe(1)
    expect(ledger.send(paramMessage(change)).executed.done).toBe(false)
    expect(ledger.send(paramMessage({ ...change, seqno: 1 })).executed.done).toBe(true)
  })

  test('gets the order that the recorded network took', () => {
    let count = 0
    for (const { address, message } of recordedExternals()) {
      if (address.workchain !== MASTERCHAIN || !address.hash.equals(CONFIG_ADDRESS)) continue
      const slice = beginParse(parseMessage(message).body).skip(512)
      const order = sliceToCell(slice)
      expect(slice.uint(32)).toBe(0x43665021)
      const [seqno, valid_until, index] = [slice.uint(32), slice.uint(32), slice.int(32)]
      expect(paramOrder({ index, value: slice.ref(), seqno, valid_until }).hash()).toEqual(order.hash())
      count++
    }
    expect(count).toBeGreaterThanOrEqual(4)
  })

  test('answers get-methods', async () => {
    const { run } = await genesisLedger(genesis)
    expect(intAt((await run(config, 'seqno')).stack, 0)).toBe(0n)
    expect(await run(config, 'list_proposals')).toMatchObject({ exit_code: 0, stack: [{ _: 'vm_stk_null' }] })
  })
})

describe('the special accounts', () => {
  test('take their ticks and tocks', async () => {
    const ledger = await genesisLedger(genesis)
    for (let i = 0; i < 3; i++) {
      ledger.now += 100_000
      for (const [address, which] of [
        [elector, 'tick'],
        [config, 'tock'],
      ] as const)
        expect(parseTransactionDescr(ledger.tickTock(address, which).description)).toMatchObject({
          _: 'trans_tick_tock',
          aborted: false,
          compute_ph: { exit_code: 0 },
        })
    }
  })

  test('hold no elections', async () => {
    const { run } = await genesisLedger(genesis)
    expect(intAt((await run(elector, 'active_election_id')).stack, 0)).toBe(0n)
    expect(await run(elector, 'participant_list')).toMatchObject({ exit_code: 0, stack: [{ _: 'vm_stk_null' }] })
    expect(await run(elector, 'past_elections')).toMatchObject({ exit_code: 0, stack: [{ _: 'vm_stk_null' }] })
  })
})
