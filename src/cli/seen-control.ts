import type { DevControl } from '../devnet/control.ts'

/** Milliseconds that the liteserver's newest block may take to be seen; then the answer goes out without. */
const SEEN_MS = 5_000

/** What tells of new heads: liteserver/pool.ts. */
interface Reads {
  waitForHead(seqno: number, wait: { timeoutMs: number }): Promise<unknown>
}

/**
 * The control of a network as those see it who read the network through a pool: what was done is answered once reads show
 * it.
 */
export const seenControl = (control: DevControl, pool: Reads): DevControl => {
  const seen = async (seqno: number): Promise<void> => {
    await pool.waitForHead(seqno, { timeoutMs: SEEN_MS }).catch(() => {})
  }
  const once =
    <A extends unknown[], R extends { seqno: number }>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const done = await call(...args)
      await seen(done.seqno)
      return done
    }
  return {
    ...control,
    faucet: async (...args) => {
      const paid = await control.faucet(...args)
      await seen(paid.mc_seqno)
      return paid
    },
    mine: once(control.mine),
    resplit: once(control.resplit),
    setConfig: once(control.setConfig),
    load: once(control.load),
  }
}
