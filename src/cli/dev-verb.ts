import { coinsText } from '../common/coins-text.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { isJsonObject, type Json, parseJson, stringifyJson } from '../common/lossless-json.ts'
import { readRegularFile, UnreadableFile } from '../common/regular-file.ts'
import type { DevAction } from '../config/dev-command.ts'
import type { Address } from '../config/kinds.ts'
import type { Settings } from '../config.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import { textTable, timeText } from './text-table.ts'

type Answer = { readonly [key: string]: Json }

/** Making thousands of blocks takes minutes. */
const PATIENCE_MS = 600_000
const MAX_FILE_BYTES = 700 << 10

const originOf = ({ host, port }: Address): string => {
  if (port === 0)
    throw new TonlithError('invalid', 'port 0 tells nobody where tonlith dev listens: name it with --listen')
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

/** Asks the running network; `body` makes it a POST. */
const ask = async (origin: string, path: string, body?: Answer): Promise<Answer> => {
  const nobody = (cause?: unknown) =>
    new TonlithError('connection', `no live network of tonlith dev answers at ${origin}`, { cause })
  let response: Response
  let text: string
  try {
    response = await fetch(`${origin}/dev/${path}`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: stringifyJson(body) }),
    })
    text = await response.text()
  } catch (cause) {
    throw nobody(cause)
  }
  const answer = jsonOf(text)
  if (answer === undefined || (response.status === 404 && path === 'status')) throw nobody()
  if (response.ok) return answer
  if (response.status === 404) await ask(origin, 'status')
  throw new TonlithError('invalid', typeof answer['error'] === 'string' ? answer['error'] : `status ${response.status}`)
}

const jsonOf = (text: string): Answer | undefined => {
  try {
    const value = parseJson(text)
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (isTonlithError(error)) return undefined
    throw error
  }
}

const readBytes = (file: string): Buffer => {
  try {
    return readRegularFile(file, MAX_FILE_BYTES)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    throw new TonlithError('invalid', `${file} cannot be read: ${error.message}`)
  }
}

/** The BoC in a file: its bytes, or text in hex or base64. */
const readBoc = (file: string): string => {
  const bytes = readBytes(file)
  const text = bytes.toString('latin1').trim()
  const forms = [bytes, ...(/^[0-9a-fA-F]+$/.test(text) ? [Buffer.from(text, 'hex')] : []), Buffer.from(text, 'base64')]
  for (const form of forms) {
    try {
      return cellToBoc(parseBocRoot(form)).toString('base64')
    } catch (error) {
      if (!isTonlithError(error)) throw error
    }
  }
  throw new TonlithError('invalid', `${file} has no bag of cells with one root`)
}

const headLine = ({ seqno, utime }: Answer): string => `block ${seqno} of ${timeText(Number(utime))}`
const rows = (list: Json | undefined): Answer[] => (Array.isArray(list) ? list.filter(isJsonObject) : [])

const statusLines = (status: Answer): string[] => {
  const { now, pending, real_time, block_interval, faucet, snapshots } = status
  const pace = block_interval === null ? 'on demand' : `every ${block_interval} ms`
  const names = Array.isArray(snapshots) ? snapshots : []
  return [
    headLine(status),
    `clock ${now} (${timeText(Number(now))}${real_time === true ? '' : ', moved by blocks only'})`,
    `blocks ${pace}`,
    `messages that wait ${pending}`,
    ...textTable(
      rows(status['shards']).map(({ workchain, shard, seqno }) => [`shard ${workchain}:${shard}`, `${seqno}`]),
    ),
    `faucet ${faucet}`,
    ...rows(status['contracts']).map(({ name, address }) => `${name} ${address}`),
    ...rows(status['wallets']).map(({ version, address, mnemonic }) => `wallet ${version} ${address} ${mnemonic}`),
    ...(names.length === 0 ? [] : [`snapshots ${names.join(', ')}`]),
  ]
}

const timeBody = ({ now, advance }: { now?: number; advance?: number }): Answer | undefined =>
  now !== undefined ? { now } : advance !== undefined ? { advance } : undefined

const perform = async (action: DevAction, origin: string): Promise<string[]> => {
  switch (action.action) {
    case 'status':
      return statusLines(await ask(origin, 'status'))
    case 'faucet': {
      const { address, amount } = action
      const paid = await ask(origin, 'faucet', { address, amount: String(amount) })
      return [`paid ${coinsText(amount)} TON in block ${paid['mc_seqno']}`, `transaction ${paid['transaction_hash']}`]
    }
    case 'mine':
      return [headLine(await ask(origin, 'mine', { blocks: action.blocks }))]
    case 'time': {
      const body = timeBody(action)
      const { now } = await (body ? ask(origin, 'time', body) : ask(origin, 'status'))
      return [`${now} (${timeText(Number(now))})`]
    }
    case 'split':
    case 'merge':
      return [headLine(await ask(origin, 'resplit', { action: action.action, shard: action.shard }))]
    case 'config':
      return [headLine(await ask(origin, 'config', { param: action.param, boc: readBoc(action.file) }))]
    case 'load': {
      const file = readBytes(action.file).toString('base64')
      const loaded = await ask(origin, 'load', { file })
      const present = Array.isArray(loaded['present']) ? loaded['present'] : []
      return [
        `accounts put in: ${loaded['accounts']}`,
        ...present.map((address) => `already there ${address}`),
        headLine(loaded),
      ]
    }
    case 'snapshot':
    case 'restore':
      return [headLine(await ask(origin, action.action, { name: action.name }))]
  }
}

/**
 * Asks the live network of a running `tonlith dev` for something, and prints the answer as lines.
 * @throws TonlithError `connection` when none answers where the settings say, `invalid` with the words of one that refuses
 */
export const devVerb = async (
  action: DevAction,
  { listen }: Pick<Settings, 'listen'>,
  print: (line: string) => void,
): Promise<void> => (await perform(action, originOf(listen))).forEach(print)
