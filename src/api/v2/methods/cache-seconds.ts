/** Answers that follow the head of the chain. */
export const FOLLOWS_HEAD = 1
/** Answers that can never change; bounded by the size of the cache, not by time. */
export const IMMUTABLE = 3600

/** For methods that read the newest state unless a masterchain seqno pins them. */
export const pinnedSeconds = ({ seqno }: { seqno: number | undefined }): number =>
  seqno === undefined ? FOLLOWS_HEAD : IMMUTABLE
