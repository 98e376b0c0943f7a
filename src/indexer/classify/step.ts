/** Parts of a trace that are looked at in one step: about a millisecond. */
const STEP = 64

/** True where a step ends: behind so many parts. */
export const isStep = (count: number): boolean => count % STEP === STEP - 1
