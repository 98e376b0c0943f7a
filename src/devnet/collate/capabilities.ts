/** Bits of the capabilities in configuration parameter 8 that shape blocks (node: ton::Capabilities). */
export const CREATE_STATS = 2n
export const REPORT_VERSION = 8n
export const SHORT_DEQUEUE = 32n
export const STORE_OUT_MSG_QUEUE_SIZE = 64n
export const MSG_METADATA = 128n
export const DEFER_MESSAGES = 256n
