import type { FromIndexWorker, ToIndexWorker } from '../../src/cli/index-messages.ts'

/** A Worker of an index that breaks in the way that its order names, and otherwise stops when it is told to. */

declare const self: Worker

const boom = (): never => {
  throw new Error('it broke')
}

const WAYS: Record<string, () => void> = {
  'a mistake in a message handler': boom,
  'a mistake in a timer': () => void setTimeout(boom, 1),
  'a rejection that nobody handles': () => void Promise.reject(new Error('it broke')),
  'an exit': () => process.exit(3),
  'a stack without end': () => {
    const deeper = (n: number): number => 1 + deeper(n + 1)
    deeper(0)
  },
  'more memory than a buffer can have': () => void new ArrayBuffer(2 ** 52),
  'more memory than WebAssembly can have': () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 })
    memory.grow(2)
  },
}

const say = (message: FromIndexWorker): void => self.postMessage(message)

self.onmessage = ({ data }: MessageEvent<ToIndexWorker>) => {
  if ('start' in data) WAYS[data.start.folder]?.()
  else if ('stop' in data) say({ stopped: true })
}
