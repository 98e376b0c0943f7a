import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keys } from '../../../src/cli/keys.ts'
import { merchants } from '../../../src/cli/merchants.ts'
import { webhooks } from '../../../src/cli/webhooks.ts'
import { parseKeysCommand } from '../../../src/config/keys-command.ts'
import { parseMerchantsCommand } from '../../../src/config/merchants-command.ts'
import { parseWebhooksCommand } from '../../../src/config/webhooks-command.ts'
import type { Settings } from '../../../src/config.ts'
import { rejectionOf } from '../../support/rejection.ts'

test('a verb that is called in a wrong folder says so, and makes no data folder there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-'))
  const data = join(folder, 'data')
  const settings = { data, network: 'mainnet' } as Settings
  const print = (line: string): never => {
    throw new Error(`printed ${line}`)
  }
  const told = { kind: 'notFound', message: expect.stringContaining(`there is no data folder ${data}`) }
  try {
    expect(await rejectionOf(keys(parseKeysCommand(['list']).action, settings, print))).toMatchObject(told)
    expect(await rejectionOf(merchants(parseMerchantsCommand(['list']).action, settings, print))).toMatchObject(told)
    expect(await rejectionOf(webhooks(parseWebhooksCommand(['list', 'shop']).action, settings, print))).toMatchObject(
      told,
    )
    expect(existsSync(data)).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
