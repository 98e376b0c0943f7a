import { expect, test } from 'bun:test'
import { reload } from '../../../src/config/reload.ts'
import { type Resolved, resolveSettings } from '../../../src/config/resolve.ts'

const file = (values: Record<string, unknown>): Resolved =>
  resolveSettings('serve', { flags: new Map(), env: {}, file: { path: '/x/tonlith.toml', values }, folder: '/x' })

test('what may change is taken over in its place, and told', () => {
  const { settings, effective } = file({ keyless_rps: 5, payments_rps: 3 })
  const next = file({ keyless_rps: 7, payments_rps: 3, plans: { free: { rps: 20 } } })
  const { changed, waiting } = reload(settings, effective, next)
  expect(changed).toEqual({ keyless_rps: '5 -> 7', plans: 'free=10,plus=25,advanced=100 -> free=20' })
  expect(waiting).toEqual([])
  expect([settings.keyless_rps, settings.payments_rps, settings.plans]).toEqual([7, 3, [{ name: 'free', rps: 20 }]])
})

test('the rest waits for the next start, each time it is looked at, and no secret is told', () => {
  const { settings, effective } = file({ listen: '127.0.0.1:1', api_key: 'first-secret' })
  const next = file({ listen: '127.0.0.1:2', api_key: 'second-secret', keyless_rps: 9 })
  const first = reload(settings, effective, next)
  expect(first.waiting).toEqual(['listen'])
  expect(settings.listen.port).toBe(1)
  expect(settings.api_key).toBe('second-secret')
  const second = reload(settings, first.effective, next)
  expect([second.changed, second.waiting]).toEqual([{}, ['listen']])
  expect(JSON.stringify([first.changed, first.waiting])).not.toContain('-secret')
})

test('an admin token changes at once, and is taken away by a start only', () => {
  const { settings, effective } = file({ admin_token: 'the-first-token' })
  const next = reload(settings, effective, file({ admin_token: 'the-second-token' }))
  expect(settings.admin_token).toBe('the-second-token')
  const { waiting } = reload(settings, next.effective, file({}))
  expect([waiting, settings.admin_token]).toEqual([['admin_token'], 'the-second-token'])
})

test('back at what it was, nothing waits', () => {
  const before = { listen: '127.0.0.1:1', keyless_rps: 5 }
  const { settings, effective } = file(before)
  const { effective: then } = reload(settings, effective, file({ listen: '127.0.0.1:2', keyless_rps: 6 }))
  const { changed, waiting } = reload(settings, then, file(before))
  expect([changed, waiting]).toEqual([{ keyless_rps: '6 -> 5' }, []])
})

test('liteservers of a plan do not change without a start, and nothing else of the plans does then', () => {
  const own = { free: { rps: 1 }, own: { rps: 5, global_config: 'own.json' } }
  const { settings, effective } = file({ plans: own })
  const before = settings.plans
  for (const plans of [
    { free: { rps: 2 } },
    { ...own, free: { rps: 2, global_config: 'own.json' } },
    { free: { rps: 2 }, own: { rps: 5, global_config: 'other.json' } },
    { free: { rps: 2 }, own: { rps: 5 } },
  ]) {
    expect(reload(settings, effective, file({ plans })).waiting).toEqual(['plans'])
    expect(settings.plans).toBe(before)
  }
  expect(reload(settings, effective, file({ plans: { ...own, free: { rps: 2 } } })).waiting).toEqual([])
  expect(settings.plans[0]!.rps).toBe(2)
})
