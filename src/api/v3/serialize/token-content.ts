import type { NftItemEntity } from '../../../model/entities.ts'

/** The content of a token by TEP-64's names, as it stands on the chain (contracts/v3.md 5.7, 5.8); a domain item has its `domain`. */
export const tokenContent = (content: NftItemEntity['content']): Readonly<Record<string, string>> => {
  switch (content._) {
    case 'onchain':
      return content.attributes
    case 'offchain':
      return { uri: content.uri }
    case 'domain':
      return content.domain === '' ? {} : { domain: content.domain }
  }
}
