import type { Cell } from '../ton/cell.ts'

/** How a wallet keeps its data; readWalletInfo knows what stands where. */
export type WalletLayout = 'seqno' | 'seqno-id' | 'v5-beta' | 'v5'

export interface WalletCode {
  /** The name that getWalletInformation gives it. */
  wallet_type: string
  layout: WalletLayout
}

const WALLETS: readonly [codeHash: string, wallet_type: string, layout: WalletLayout][] = [
  ['oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', 'wallet v1 r1', 'seqno'],
  ['1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', 'wallet v1 r2', 'seqno'],
  ['WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', 'wallet v1 r3', 'seqno'],
  ['XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', 'wallet v2 r1', 'seqno'],
  ['/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', 'wallet v2 r2', 'seqno'],
  ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', 'wallet v3 r1', 'seqno-id'],
  ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', 'wallet v3 r2', 'seqno-id'],
  ['ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', 'wallet v4 r1', 'seqno-id'],
  ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'wallet v4 r2', 'seqno-id'],
  ['89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=', 'wallet v5 beta', 'v5-beta'],
  ['IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', 'wallet v5 r1', 'v5'],
]

/** All names that walletCode can give. */
export const WALLET_TYPES: readonly string[] = WALLETS.map(([, wallet_type]) => wallet_type)

const KNOWN: ReadonlyMap<string, WalletCode> = new Map(
  WALLETS.map(([codeHash, wallet_type, layout]) => [codeHash, { wallet_type, layout }]),
)

/**
 * The wallet that a code cell is, or undefined (contracts/v2.md 14). The cell counts as it is stored: that of wallet v5
 * beta is a library reference.
 */
export const walletCode = (code: Cell): WalletCode | undefined => walletCodeByHash(code.hash())

/** As walletCode, of the hash of a code cell. */
export const walletCodeByHash = (hash: Buffer): WalletCode | undefined => KNOWN.get(hash.toString('base64'))
