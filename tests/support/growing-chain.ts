import { openStoredChain } from '../../src/devnet/stored-chain.ts'
import { recordedChain } from './recorded-chain.ts'
import { recordedSteps, recordedZerostates } from './recorded-steps.ts'

/**
 * `bun growing-chain.ts FOLDER`: goes on with the recorded network in a folder to its end, and says each masterchain seqno
 * that is on the disk. Somebody kills it meanwhile.
 */

const [folder] = process.argv.slice(2)
const recorded = recordedChain()
const chain = await openStoredChain(folder!, () => recordedZerostates(recorded))
for (const step of recordedSteps(recorded)) {
  if (step.masterchainBlock.id.seqno <= chain.last) continue
  chain.append(step)
  await Bun.write(Bun.stdout, `${chain.last}\n`)
}
await chain.close()
