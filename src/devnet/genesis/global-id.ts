/**
 * Configuration parameter 19, as on mainnet: wallets v5r1 carry the global id of their network in their address, and
 * `WalletContractV5R1.create` of `@ton/ton` takes mainnet's where it is given none.
 */
export const GLOBAL_ID = -239
