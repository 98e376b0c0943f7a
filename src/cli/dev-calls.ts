import type { DevControl } from '../devnet/control.ts'
import type { DevCall } from './dev-messages.ts'

/** The control of a live network that is somewhere else: `call` takes each function with its arguments there. */
export const devControl = (call: (call: DevCall) => Promise<unknown>): DevControl => {
  const ask = <M extends keyof DevControl>(name: M, ...args: Parameters<DevControl[M]>) =>
    call({ name, args } as DevCall) as ReturnType<DevControl[M]>
  return {
    status: () => ask('status'),
    faucet: (address, amount) => ask('faucet', address, amount),
    mine: (blocks) => ask('mine', blocks),
    setTime: (to) => ask('setTime', to),
    resplit: (what, shard) => ask('resplit', what, shard),
    setConfig: (param, boc) => ask('setConfig', param, boc),
    load: (load) => ask('load', load),
    arrive: (address) => ask('arrive', address),
    snapshot: (name) => ask('snapshot', name),
    restore: (name) => ask('restore', name),
  }
}
