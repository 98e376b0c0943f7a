import { type Address, sameAddress, tryParseAddress } from '../../ton/address.ts'

/** Masters of proxies for TON: whoever holds their jettons is sent TON in place of them. */
const MASTERS: readonly Address[] = [
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
].map((text) => tryParseAddress(text)!)

/** True for the master of a proxy for TON. */
export const isPton = (master: Address): boolean => MASTERS.some((one) => sameAddress(one, master))
