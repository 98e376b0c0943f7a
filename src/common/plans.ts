/** What the keys of a plan may do. */
export interface Plan {
  readonly name: string
  /** Requests per second of all keys of one owner on one network; 0 = no limit. */
  readonly rps: number
  /** A global config, as a file or URL, with the liteservers that only this plan's keys are answered from. */
  readonly globalConfig?: string
}
