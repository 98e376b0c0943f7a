/**
 * One TL constructor or function as data. `fields` keep the order of the wire; a field's type is written as in a TL
 * text (`int`, `vector tonNode.blockIdExt`, `mode.0?bytes`). `type` is what the constructor makes or the function
 * answers. `explicit` marks an id that the scheme's text gives itself, which is not the CRC32 of that text.
 */
export interface Constructor {
  readonly id: number
  readonly explicit?: true
  readonly fields: Readonly<Record<string, string>>
  readonly type: string
}
