import { Address, beginCell, external, type MessageRelaxed, SendMode, storeMessage } from '@ton/core'
import { type KeyPair, mnemonicToPrivateKey } from '@ton/crypto'
import { type TonClient, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import type { LiveNetwork, LiveStatus } from './live-network.ts'
import { until } from './until.ts'

type WalletContract = WalletContractV4 | WalletContractV5R1

/** A wallet as `@ton/ton` has it, with its key. */
export interface LiveWallet {
  address: Address
  contract: WalletContract
  keys: KeyPair
  /** The external message that makes the wallet send; with its code and data where `seqno` is 0. */
  signed(seqno: number, messages: readonly MessageRelaxed[], sendMode?: SendMode): Buffer
}

const MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS

/** The wallet of a version and key in a workchain, at the address that `@ton/ton` gives it without further arguments. */
export const walletOfKeys = (version: string, keys: KeyPair, workchain = 0): LiveWallet => {
  const { publicKey, secretKey } = keys
  const contract =
    version === 'v5r1'
      ? WalletContractV5R1.create({ workchain, publicKey })
      : WalletContractV4.create({ workchain, publicKey })
  return {
    address: contract.address,
    contract,
    keys,
    signed(seqno, messages, sendMode = MODE) {
      const order = { seqno, secretKey, messages: [...messages], sendMode, timeout: 0x7fffffff }
      const body =
        contract instanceof WalletContractV5R1 ? contract.createTransfer(order) : contract.createTransfer(order)
      const message = external({ to: contract.address, body, ...(seqno === 0 && { init: contract.init }) })
      return beginCell().store(storeMessage(message)).endCell().toBoc()
    },
  }
}

/** The wallets that a network begins with, from the words that it prints. */
export const printedWallets = ({ wallets }: LiveStatus): Promise<LiveWallet[]> =>
  Promise.all(
    wallets.map(async ({ version, address, mnemonic }) => {
      const keys = await mnemonicToPrivateKey(mnemonic.split(' '))
      return walletOfKeys(version, keys, Address.parse(address).workChain)
    }),
  )

/** Hands in what makes a wallet send, and gives the seqno that it has once it did. */
const handIn = async (client: TonClient, wallet: LiveWallet, messages: readonly MessageRelaxed[]): Promise<number> => {
  const seqno = await client.open(wallet.contract).getSeqno()
  await client.sendFile(wallet.signed(seqno, messages))
  return seqno + 1
}

const untilSeqno = (client: TonClient, { contract }: LiveWallet, seqno: number): Promise<true> =>
  until(async () => ((await client.open(contract).getSeqno()) >= seqno ? true : undefined), `seqno ${seqno}`)

/** Makes a wallet send, and waits until it has. */
export const sendFrom = async (
  client: TonClient,
  wallet: LiveWallet,
  ...messages: readonly MessageRelaxed[]
): Promise<void> => {
  await untilSeqno(client, wallet, await handIn(client, wallet, messages))
}

/** The same in a network that makes blocks on demand: in one of them it sends. */
export const sendMined = async (
  network: Pick<LiveNetwork, 'mine'>,
  client: TonClient,
  wallet: LiveWallet,
  ...messages: readonly MessageRelaxed[]
): Promise<void> => {
  const seqno = await handIn(client, wallet, messages)
  await network.mine()
  await untilSeqno(client, wallet, seqno)
}
