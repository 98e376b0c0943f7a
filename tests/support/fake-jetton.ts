import {
  type Address,
  beginCell,
  type Cell,
  contractAddress,
  internal,
  type MessageRelaxed,
  type StateInit,
  Cell as TonCell,
  toNano,
} from '@ton/core'
import { JettonMaster, type TonClient } from '@ton/ton'

/** A jetton with code, name and ticker of another one, and an admin of its own. */
export interface FakeJetton {
  master: Address
  deploy: MessageRelaxed
  /** Makes jettons for an owner, as its admin. */
  mint(owner: Address, amount: bigint): MessageRelaxed
}

/** Copies the dev network's jetton: its minter's data are supply, admin, content and the wallets' code. */
export const fakeJettonOf = async (client: TonClient, original: Address, admin: Address): Promise<FakeJetton> => {
  const { code, data } = await client.getContractState(original)
  const [content, walletCode] = TonCell.fromBoc(data!)[0]!.refs as [Cell, Cell]
  const init: StateInit = {
    code: TonCell.fromBoc(code!)[0]!,
    data: beginCell().storeCoins(0).storeAddress(admin).storeRef(content).storeRef(walletCode).endCell(),
  }
  const master = contractAddress(0, init)
  return {
    master,
    deploy: internal({ to: master, value: toNano('0.1'), init, bounce: false }),
    mint: (owner, amount) => {
      const transfer = beginCell().storeUint(0x178d4519, 32).storeUint(0, 64).storeCoins(amount)
      const order = beginCell().storeUint(21, 32).storeUint(0, 64).storeAddress(owner).storeCoins(toNano('0.05'))
      const body = order
        .storeRef(transfer.storeAddress(master).storeAddress(admin).storeCoins(0).storeBit(false).endCell())
        .endCell()
      return internal({ to: master, value: toNano('0.1'), body })
    },
  }
}

/** The jetton wallet of an owner. */
export const walletOf = (client: TonClient, master: Address, owner: Address): Promise<Address> =>
  client.open(JettonMaster.create(master)).getWalletAddress(owner)
