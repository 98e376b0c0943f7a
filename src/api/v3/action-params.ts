import { flag, type Param, refusal, texts } from './param.ts'

/** Parameters about actions that several methods have (contracts/v3.md 4.5, 6.1). */

/** The types of actions that the client knows. */
export const SUPPORTED_TYPES = texts({
  description:
    'Types of actions that the client knows, and sets of them (v1 to v4, latest, nft.v3, staking, …), latest by default; of actions that it does not know it is told the parts. The header X-Actions-Version stands for the whole list',
})

export const INCLUDE_TRANSACTIONS = flag(false, { description: 'Adds the transactions of each action' })

const TYPE = /^[A-Za-z0-9_.]+$/

/** Types of actions to filter by. */
export const actionTypes = (description: string): Param<readonly string[]> => {
  const list = texts({ description: `${description}; repeated, or parted by commas` })
  return {
    ...list,
    read: (values, name) => {
      const types = list.read(values, name)
      if (!types.every((type) => TYPE.test(type))) throw refusal(`${name} contains invalid characters`)
      return types
    },
  }
}
