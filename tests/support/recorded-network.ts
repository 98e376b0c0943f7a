import { EMBEDDED } from '../../src/config/kinds.ts'

/** The words by which the executable serves the recorded network. */
export const RECORDED_NETWORK = ['dev', '--archive', EMBEDDED] as const

/** Where the index of that network is, for a data folder. */
export const recordedHome = (data: string): string => `${data}/recorded`
