import { addresses, lt, utime } from '../param.ts'

/** When the transaction of a transfer was. */
export const transferWindow = {
  start_utime: utime(),
  end_utime: utime(),
  start_lt: lt({ description: 'Least lt' }),
  end_lt: lt({ description: 'Greatest lt' }),
}

/** Owners in lists of transfers, which were called `address` before. */
export const owners = (description: string) => addresses({ description, aliases: ['address'] })
