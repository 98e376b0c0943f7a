import { describe, expect, test } from 'bun:test'
import { parseCommandLine } from '../../../src/config/command-line.ts'
import { UsageError } from '../../../src/config/usage-error.ts'

const flags = (entries: Record<string, string>) => new Map(Object.entries(entries))

describe('understands', () => {
  test.each([
    [[], { verb: 'serve', flags: flags({}) }],
    [['--listen', '[::1]:1'], { verb: 'serve', flags: flags({ listen: '[::1]:1' }) }],
    [['dev', '--replay=500', '--head', '7'], { verb: 'dev', flags: flags({ replay: '500', head: '7' }) }],
    [['serve', '--global-config', 'a=b'], { verb: 'serve', flags: flags({ global_config: 'a=b' }) }],
    [['config'], { verb: 'config', of: 'serve', flags: flags({}) }],
    [['config', 'dev', '--head', '7'], { verb: 'config', of: 'dev', flags: flags({ head: '7' }) }],
    [['openapi'], { verb: 'openapi' }],
    [['version'], { verb: 'version' }],
    [['--version'], { verb: 'version' }],
    [['--help'], { verb: 'help', about: undefined }],
    [['dev', '-h'], { verb: 'help', about: 'dev' }],
    [['help'], { verb: 'help', about: undefined }],
    [['help', 'dev'], { verb: 'help', about: 'dev' }],
  ])('%p', (args, command) => {
    expect(parseCommandLine(args as string[])).toEqual(command as ReturnType<typeof parseCommandLine>)
  })
})

describe('refuses', () => {
  test.each([
    [
      ['srve'],
      'there is no verb srve; the verbs are serve, dev, index, keys, merchants, webhooks, backup, config, doctor, openapi, version',
    ],
    [['help', 'srve'], 'there is no verb srve'],
    [['toString'], 'there is no verb toString'],
    [['--lisen', 'x'], 'serve has no flag --lisen; did you mean --listen?'],
    [['--indices', 'off'], 'serve has no flag --indices'],
    [['config', '--nope'], 'tonlith config has no flag --nope'],
    [['config', 'serve', '--lisen=x'], 'tonlith config has no flag --lisen; did you mean --listen?'],
    [['config', 'dev', '--nope'], 'tonlith config dev has no flag --nope'],
    [['config', 'dev', '--network', 'x'], '--network is a flag of config serve, not of config dev'],
    [['config', 'now'], 'tonlith config does not take the word now'],
    [['doctor', '--nope'], 'tonlith doctor has no flag --nope'],
    [['doctor', 'now'], 'tonlith doctor does not take the word now'],
    [['keys', 'add', 'a', '--onwer', 'b'], 'tonlith keys add has no flag --onwer'],
    [['keys', 'add', 'a', '--ownr', 'b'], 'tonlith keys add has no flag --ownr; did you mean --owner?'],
    [['-l', 'x'], 'serve has no flag -l'],
    [['--archive', 'x'], '--archive is a flag of dev, not of serve'],
    [['config', '--archive', 'x'], '--archive is a flag of config dev, not of config'],
    [['--api-key', 'abcdefgh'], '--api-key is a secret'],
    [['--listen'], '--listen needs a value: --listen HOST:PORT'],
    [['--listen', '--data', 'x'], '--listen needs a value'],
    [['--log', 'json', '--log=json'], '--log is given twice'],
    [['serve', 'dev'], 'tonlith serve does not take the word dev'],
    [['--', 'dev'], 'tonlith serve does not take the word dev'],
    [['version', 'now'], 'tonlith version takes no arguments, got now'],
  ])('%p', (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(UsageError)
    expect(() => parseCommandLine(args)).toThrow(message)
  })
})
