import type { AccountState } from '../model/account-state.ts'
import type { Cell } from '../ton/cell.ts'

/** The account states that a contract's code gives away. */
export type ContractKind = Exclude<AccountState['_'], 'raw.accountState' | 'uninited.accountState'>

export interface KnownCode {
  kind: ContractKind
  /** Revision of the contract; -1 is the one that the node's own sources compile to. */
  revision: number
}

const REVISIONS: readonly [codeHash: string, kind: ContractKind, revision: number][] = [
  ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', 'wallet.v3.accountState', 1],
  ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', 'wallet.v3.accountState', 2],
  ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'wallet.v4.accountState', 2],
  ['CrH/k6nnnA3v9EBdja1rWsn4wBsvHry0JZ/rnpg4AJk=', 'wallet.highload.v1.accountState', -1],
  ['2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=', 'wallet.highload.v1.accountState', 1],
  ['NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0=', 'wallet.highload.v1.accountState', 2],
  ['lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=', 'wallet.highload.v2.accountState', -1],
  ['jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=', 'wallet.highload.v2.accountState', 1],
  ['CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4=', 'wallet.highload.v2.accountState', 2],
  ['c1Ot4+H3y+3FJbPnvDIm/lrIJ2+lJ5rDf7bvvIj0Irc=', 'dns.accountState', -1],
  ['oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU=', 'dns.accountState', 1],
  ['Da+y0ZPcWqW+4h62BwUQypR10vDW62Ks+b8Ckjznjgs=', 'pchan.accountState', -1],
  ['jTUEm5Rs8ztYUQu0VgyEGpRfd4HW3p/GnKP0MPbjInM=', 'rwallet.accountState', 1],
]

const KNOWN: ReadonlyMap<string, KnownCode> = new Map(
  REVISIONS.map(([codeHash, kind, revision]) => [codeHash, { kind, revision }]),
)

/**
 * The contract that a code cell is, or undefined (contracts/v2.md 13.2). The cell counts as it is stored: a library
 * reference is not looked up, so it is never known.
 */
export const knownCode = (code: Cell): KnownCode | undefined => KNOWN.get(code.hash().toString('base64'))
