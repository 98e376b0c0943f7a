import { setDefaultTimeout } from 'bun:test'

/** Milliseconds that a test may take unless it says otherwise: Bun's own 5 s are short for a loaded machine. */
setDefaultTimeout(30_000)
