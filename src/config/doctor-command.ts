const JSON_FLAG = '--json'

export const DOCTOR_HELP = [
  'tonlith doctor [--json] [flags of serve]',
  '    Looks at what serve would run with: the effective settings, the clock against that of the liteservers, the data',
  '    folder (free, writable, speed of a synced write), each liteserver (connection, handshake, head and its proof, lag,',
  '    oldest block, latency), and index, payments and keys, which a server may be using meanwhile. Changes nothing.',
  '    Exit code 0 unless something failed; --json prints all figures as one object.',
].join('\n')

/** What stands behind `tonlith doctor`: whether JSON is wanted, and the rest, which are flags of `serve`. */
export const parseDoctorCommand = (args: readonly string[]): { json: boolean; args: readonly string[] } => ({
  json: args.includes(JSON_FLAG),
  args: args.filter((arg) => arg !== JSON_FLAG),
})
