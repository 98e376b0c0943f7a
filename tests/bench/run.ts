import { untilReady } from '../support/ready.ts'
import { benchAccounts } from './accounts.ts'
import { benchBinary } from './binary.ts'
import { benchCells } from './cells.ts'
import { benchCosts } from './costs.ts'
import { benchFuzz } from './fuzz.ts'
import { benchGetMethods } from './get-methods.ts'
import { benchHttp } from './http.ts'
import { benchIndexReplay } from './index-replay.ts'
import { benchIndexStore } from './index-store.ts'
import { startProgram } from './program.ts'
import { printTable, type Row } from './table.ts'

const benchAll = async (): Promise<Row[]> => {
  const rows: Row[] = [...benchCells(), ...(await benchGetMethods()), ...(await benchIndexStore())]
  const program = await startProgram()
  try {
    await untilReady(`http://127.0.0.1:${program.port}`)
    rows.push(...(await benchHttp(program)), ...(await benchAccounts(program)), ...(await benchBinary(program)))
  } finally {
    await program.stop()
  }
  rows.push(...(await benchCosts()), ...(await benchIndexReplay()))
  return rows
}

const [what, ...numbers] = process.argv.slice(2)
printTable(await (what === 'fuzz' ? benchFuzz(...numbers.map(Number)) : benchAll()))
