import { existsSync } from 'node:fs'
import { TonlithError } from '../common/errors.ts'

/**
 * Insists on a data folder, for what is of no use without one: none is made where a verb is called in a wrong folder.
 * @throws TonlithError `notFound` where there is none
 */
export const existingData = (data: string): void => {
  if (!existsSync(data))
    throw new TonlithError(
      'notFound',
      `there is no data folder ${data}: call it where the server runs, or with --data DIR`,
    )
}
