import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const GUIDE = join(import.meta.dir, '../../docs/payments.md')

/** A script of docs/payments.md, as it stands there; its first line is a remark that begins with its name. */
export const guideCode = (name: string): string => {
  const scripts = readFileSync(GUIDE, 'utf8').matchAll(/```js\n(.*?)```/gs)
  const found = [...scripts].find(([, code]) => code!.startsWith(`// ${name}`))
  if (!found) throw new Error(`docs/payments.md has no ${name}`)
  return found[1]!
}
