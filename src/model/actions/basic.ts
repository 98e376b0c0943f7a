import type { Address } from '../../ton/address.ts'
import type { ActionOf, ExtraAmounts } from './content.ts'

/** `opcode` as `0x` and eight digits; `value` in nano-units. */
export type ContractDeployDetails = {
  opcode: string | null
  source: Address | null
  destination: Address | null
  value: bigint | null
}

export type CallContractDetails = ContractDeployDetails & { extra_currencies: ExtraAmounts }

/** The comment of an encrypted one is base64. */
export type TonTransferDetails = {
  source: Address
  destination: Address
  value: bigint
  value_extra_currencies: ExtraAmounts
  comment: string | null
  encrypted: boolean
}

export type NoDetails = Record<string, never>

/** What every message and trace is at least. */
export type BasicAction =
  | ActionOf<'call_contract', CallContractDetails>
  | ActionOf<'contract_deploy', ContractDeployDetails>
  | ActionOf<'ton_transfer', TonTransferDetails>
  | ActionOf<'tick_tock', NoDetails>
  | ActionOf<'unknown', NoDetails>
