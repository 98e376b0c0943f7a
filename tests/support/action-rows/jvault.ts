import type { RowData } from './row-data.ts'

export const JVAULT_ROWS: RowData = {
  jvault_stake: (details) => ({ jvault_stake_data: details }),
  jvault_claim: ({ claimed_rewards }) => ({
    jvault_claim_data: {
      claimed_jettons: claimed_rewards.map(({ jetton }) => jetton),
      claimed_amounts: claimed_rewards.map(({ amount }) => amount),
    },
  }),
}
