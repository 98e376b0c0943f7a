import { call, kind, maybe } from '../classify/pattern.ts'

/** What contracts of LayerZero tell the world, as a message to an account that does nothing. */
export const layerZeroEvent = call(0xe33b9873)

/** What is left, given back or paid to somebody. */
export const layerZeroRest = maybe(kind('ton_transfer'))
