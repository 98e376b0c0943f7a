import type { Matcher } from '../classify/family.ts'
import { auctionBid, auctionOutbid } from './auction-bid.ts'
import {
  cocoonClientChangeSecretHash,
  cocoonClientIncreaseStake,
  cocoonClientRegister,
  cocoonClientRequestRefund,
  cocoonClientTopUp,
  cocoonClientWithdraw,
} from './cocoon-clients.ts'
import { cocoonGrantRefund, cocoonProxyCharge, cocoonProxyPayout, cocoonWorkerPayout } from './cocoon-payouts.ts'
import { cocoonRegisterProxy, cocoonUnregisterProxy } from './cocoon-proxies.ts'
import { coffeeDeposit, coffeeWithdraw } from './coffee-liquidity.ts'
import { coffeeMevProtectFailedSwap, coffeeMevProtectHoldFunds } from './coffee-mev.ts'
import { coffeeCreatePool, coffeeCreatePoolCreator, coffeeCreateVault } from './coffee-pools.ts'
import { coffeeStakingClaimRewards, coffeeStakingDeposit, coffeeStakingWithdraw } from './coffee-staking.ts'
import { coffeeSwap } from './coffee-swap.ts'

import { dedustDeposit, dedustDepositFirstAsset } from './dedust-deposit.ts'

import { dedustSwap } from './dedust-swap.ts'
import { dedustWithdraw } from './dedust-withdraw.ts'
import { changeDns, dnsPurchase, dnsRelease } from './dns.ts'
import { electionDeposit, electionRecover } from './elections.ts'
import { ethenaDeposit, ethenaWithdrawalRequest } from './ethena.ts'
import { evaaJettonLiquidate, evaaLiquidate } from './evaa-liquidate.ts'
import { evaaJettonSupply, evaaSupply } from './evaa-supply.ts'
import { evaaWithdraw } from './evaa-withdraw.ts'
import { failedJettonTransfer } from './failed-jetton-transfer.ts'
import { jettonBurn } from './jetton-burn.ts'
import { jettonMint } from './jetton-mint.ts'
import { jettonTransfer } from './jetton-transfer.ts'
import { jvaultClaim } from './jvault-claim.ts'
import { jvaultStake } from './jvault-stake.ts'
import { jvaultUnstake, jvaultUnstakeRequest } from './jvault-unstake.ts'
import { layerZeroCommitPacket, layerZeroReceive } from './layerzero-receive.ts'
import { layerZeroSend, layerZeroSendTokens } from './layerzero-send.ts'
import { layerZeroDvnVerify } from './layerzero-verify.ts'
import { liquidStakingDelayedWithdrawal, liquidStakingDeposit, liquidStakingWithdraw } from './liquid-staking.ts'
import { multisigApprove, multisigCreateOrder, multisigExecute } from './multisig.ts'
import { nftDiscovery } from './nft-discovery.ts'
import { nftCancelAuction, nftCancelSale, nftFinishAuction } from './nft-end-trade.ts'
import { nftPutOnSale } from './nft-listing.ts'
import { nftMint } from './nft-mint.ts'
import { nftPurchase } from './nft-purchase.ts'
import { nftTransfer } from './nft-transfer.ts'
import { nftUpdateSale } from './nft-update-sale.ts'
import { nominatorDeposit, nominatorWithdraw, nominatorWithdrawRequest } from './nominator-pool.ts'
import { ptonTransfer } from './pton-transfer.ts'
import { stonfiSwap } from './stonfi-swap.ts'
import { stonfiV2Deposit, stonfiV2Refund, stonfiV2Withdraw } from './stonfi-v2-liquidity.ts'
import { stonfiV2Swap } from './stonfi-v2-swap.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'
import { teleitemCancelAuction, teleitemStartAuction } from './teleitem-auction.ts'
import { telemintTransfer } from './telemint-transfer.ts'
import { tgbtcBurn, tgbtcMint, tgbtcNewKey } from './tgbtc.ts'
import { tgbtcBurnEvent, tgbtcDkgEvent, tgbtcMintEvent, tgbtcNewKeyEvent } from './tgbtc-events.ts'
import { toncoDeposit, toncoWithdraw } from './tonco-liquidity.ts'
import { toncoDeployPool } from './tonco-pool.ts'
import { toncoSwap } from './tonco-swap.ts'
import { vestingAddWhitelist, vestingSendMessage } from './vesting.ts'

/**
 * All matchers in the order in which they are run (contracts/v3.md 14): what an earlier one made can be a piece for a later
 * one. A family is a file of its own and its rows here.
 *
 * Bidask has none: the reference decodes its messages (schemes/bidask.tlb), but has no matcher and no `dex` of that name
 * (contracts/v3.md 6.2 and 14), and a recorded answer of it tells of a swap there as its transfers and calls. So do we: an
 * exchange that clients do not know would hide from them what they know.
 */
export const MATCHERS: readonly Matcher[] = [
  nftMint,
  liquidStakingDelayedWithdrawal,
  dedustDeposit,
  dedustDepositFirstAsset,
  liquidStakingDeposit,
  liquidStakingWithdraw,
  multisigCreateOrder,
  multisigApprove,
  multisigExecute,
  vestingSendMessage,
  vestingAddWhitelist,
  nominatorDeposit,
  nominatorWithdrawRequest,
  nominatorWithdraw,
  jettonTransfer,
  ptonTransfer,
  dedustWithdraw,
  jettonBurn,
  dedustSwap,
  stonfiSwap,
  stonfiV2Swap,
  toncoSwap,
  dnsRelease,
  dnsPurchase,
  nftUpdateSale,
  nftTransfer,
  telemintTransfer,
  nftPurchase,
  nftPutOnSale,
  teleitemStartAuction,
  teleitemCancelAuction,
  nftDiscovery,
  changeDns,
  electionDeposit,
  electionRecover,
  subscribe,
  unsubscribe,
  auctionBid,
  auctionOutbid,
  nftCancelSale,
  nftFinishAuction,
  nftCancelAuction,
  ethenaWithdrawalRequest,
  jettonMint,
  ethenaDeposit,
  stonfiV2Deposit,
  stonfiV2Withdraw,
  stonfiV2Refund,
  jvaultStake,
  jvaultUnstake,
  jvaultClaim,
  jvaultUnstakeRequest,
  evaaSupply,
  evaaJettonSupply,
  evaaWithdraw,
  evaaLiquidate,
  evaaJettonLiquidate,
  tgbtcMint,
  tgbtcBurn,
  tgbtcNewKey,
  tgbtcMintEvent,
  tgbtcBurnEvent,
  tgbtcNewKeyEvent,
  tgbtcDkgEvent,
  toncoDeposit,
  toncoDeployPool,
  toncoWithdraw,
  coffeeDeposit,
  coffeeSwap,
  coffeeWithdraw,
  coffeeCreateVault,
  coffeeCreatePoolCreator,
  coffeeCreatePool,
  coffeeMevProtectHoldFunds,
  coffeeMevProtectFailedSwap,
  coffeeStakingDeposit,
  coffeeStakingWithdraw,
  coffeeStakingClaimRewards,
  layerZeroSend,
  layerZeroSendTokens,
  layerZeroReceive,
  layerZeroCommitPacket,
  layerZeroDvnVerify,
  cocoonWorkerPayout,
  cocoonProxyPayout,
  cocoonProxyCharge,
  cocoonClientTopUp,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonClientRegister,
  cocoonClientChangeSecretHash,
  cocoonClientRequestRefund,
  cocoonGrantRefund,
  cocoonClientIncreaseStake,
  cocoonClientWithdraw,
]

/** Matchers for messages that were meant to be sent and were not. */
export const GHOST_MATCHERS: readonly Matcher[] = [failedJettonTransfer]
