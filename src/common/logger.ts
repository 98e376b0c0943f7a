import pino from 'pino'
import { TonlithError, toldOf } from './errors.ts'
import { createLineSink } from './line-sink.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export const LOG_FORMATS = ['pretty', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

type Write = (fields: Record<string, unknown>, message: string) => void

/** Structured log: an object of fields, then one sentence. An error goes into the field `err`. */
export type Logger = {
  trace: Write
  debug: Write
  info: Write
  warn: Write
  error: Write
  /** A logger that adds `fields` to each of its lines. */
  child(fields: Record<string, unknown>): Logger
}

/** Names of fields, at the top and one level down, whose values never reach the log. */
const SECRET_FIELDS = ['api_key', 'apiKey', 'key', 'secret', 'token', 'password', 'authorization', 'x-api-key']
const redactedPaths = SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`])

const describeError = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { message: String(error) }
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  if (!(error instanceof TonlithError)) return { ...toldOf(error), ...cause }
  const code = error.code === undefined ? {} : { code: error.code }
  return { kind: error.kind, ...code, message: error.message, ...cause }
}

/**
 * Makes a log writer.
 * @param level the least severe level that is written
 * @param format `json`: one JSON object a line; `pretty`: one readable line (formatted here, in this thread: pino's
 * transports are worker files and do not exist in a compiled binary)
 * @param write takes each finished line with its newline; standard error by default
 */
export const createLogger = (
  level: LogLevel,
  format: LogFormat,
  write: (line: string) => void = createLineSink(process.stderr),
): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: { paths: redactedPaths, censor: '(secret)' },
    },
    { write: format === 'json' ? write : (line: string) => write(prettyLine(line)) },
  )

/** Control characters, which can come from a liteserver and would reach the operator's terminal, as `\u001b`. */
const withoutControls = (text: string): string =>
  text.replace(/[^\P{Cc}\n]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Turns one JSON line of the log into a line for people: `12:00:01.250 WARN  message  field=value …`. */
export const prettyLine = (json: string): string => {
  const { time, level, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown>
  const clock = String(time).slice(11, 23)
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${scalar(value)}`)
  const error = err === undefined ? '' : `\n${indent(errorText(err as Record<string, unknown>))}`
  return withoutControls(`${[clock, String(level).toUpperCase().padEnd(5), msg, ...parts].join(' ')}${error}\n`)
}

const scalar = (value: unknown): string =>
  typeof value === 'string' && !/[\s"=]/.test(value) ? value : JSON.stringify(value)

const errorText = (error: Record<string, unknown>): string => {
  const { message, stack, cause, kind, code } = error
  const head = stack ?? [kind, code, message].filter((part) => part !== undefined).join(' ')
  return cause === undefined ? String(head) : `${head}\ncaused by ${errorText(cause as Record<string, unknown>)}`
}

const indent = (text: string): string => text.replace(/^/gm, '    ')

/** A logger that writes nothing. */
export const silentLogger: Logger = createLogger('silent', 'json', () => {})
