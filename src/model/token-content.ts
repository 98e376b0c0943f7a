/** What a token says of itself by TEP-64, as it stands on the chain: nothing that it refers to is fetched. */
export type TokenContent =
  | {
      _: 'onchain'
      /**
       * The attributes that TEP-64 names, in alphabetical order; `image_data` in base64, all others as text. Semi-chain
       * content has `uri` among them.
       */
      attributes: Readonly<Record<string, string>>
    }
  | { _: 'offchain'; uri: string }
