import { friendlyAddress } from '../../ton/address.ts'
import { COLLECTION } from './collection.ts'
import { FAUCET } from './faucet.ts'
import { FAUCET_BALANCE, WALLET_BALANCE } from './genesis.ts'
import { TUSD } from './tusd.ts'
import { DEV_WALLETS, type DevWallet, MASTERCHAIN_WALLET } from './wallets.ts'

const TON = 1_000_000_000n

/** Wallets are shown in the form that does not bounce, contracts in the one that does, both as on mainnet. */
const walletAddress = ({ address }: DevWallet): string =>
  friendlyAddress(address, { bounceable: false, testOnly: false })

const tons = (amount: bigint): string => `${(amount / TON).toLocaleString('en-US')} TON`

const walletLines = (wallet: DevWallet, name: string): string[] => [
  `${name} ${wallet.version} ${walletAddress(wallet)}`,
  `    ${wallet.mnemonic}`,
]

/**
 * What the dev network says at its start about the accounts that everybody can use: the wallets with their words, the
 * faucet, the jetton and the collection. Amounts are those of the zerostate.
 */
export const walletsText = (): string[] => [
  `wallets with ${tons(WALLET_BALANCE)} each; their words are public, so use them on no other network:`,
  ...DEV_WALLETS.flatMap((wallet, i) => walletLines(wallet, `(${i})`.padStart(4))),
  `masterchain wallet ${MASTERCHAIN_WALLET.version} ${walletAddress(MASTERCHAIN_WALLET)} (the words of wallet 5)`,
  `faucet ${friendlyAddress(FAUCET.address)} with ${tons(FAUCET_BALANCE)}`,
  `TUSD ${friendlyAddress(TUSD.address)}`,
  `NFT collection ${friendlyAddress(COLLECTION.address)}`,
]
