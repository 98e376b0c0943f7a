import { arrayOf, BOOLEAN, INT32, INT64, type JsonSchema, object, ref, STRING, typed } from '../json-schema.ts'

const BYTES = ref('Bytes')
const ENTRY = ref('TvmStackEntry')

/** The typed entries of a stack, and the legacy pairs. */
export const stackSchemas: Record<string, JsonSchema> = {
  TvmNumberDecimal: typed('tvm.numberDecimal', {
    number: { ...STRING, description: 'Decimal of up to 257 bits, NaN in results; 0x hex is read too' },
  }),
  TvmSlice: typed('tvm.slice', { bytes: BYTES }),
  TvmTuple: typed('tvm.tuple', { elements: arrayOf(ENTRY) }),
  TvmList: typed('tvm.list', { elements: arrayOf(ENTRY) }),
  TvmStackEntryNumber: typed('tvm.stackEntryNumber', { number: ref('TvmNumberDecimal') }),
  TvmStackEntryCell: typed('tvm.stackEntryCell', { cell: ref('TvmCell') }),
  TvmStackEntrySlice: typed('tvm.stackEntrySlice', { slice: ref('TvmSlice') }),
  TvmStackEntryTuple: typed('tvm.stackEntryTuple', { tuple: ref('TvmTuple') }),
  TvmStackEntryList: typed('tvm.stackEntryList', { list: ref('TvmList') }),
  TvmStackEntryUnsupported: typed('tvm.stackEntryUnsupported', {}),
  TvmStackEntry: {
    oneOf: ['Number', 'Cell', 'Slice', 'Tuple', 'List', 'Unsupported'].map((kind) => ref(`TvmStackEntry${kind}`)),
  },
  LegacyCellObject: object({
    data: object({ b64: { ...BYTES }, len: { ...INT32, description: 'Bits' } }),
    refs: arrayOf(ref('LegacyCellObject')),
    special: BOOLEAN,
  }),
  LegacyStackCell: {
    ...object({ bytes: BYTES, object: ref('LegacyCellObject') }, ['object']),
    description: 'A cell or slice; in results `object` is left out where it would be too large',
  },
  LegacyStackEntry: {
    type: 'array',
    minItems: 2,
    maxItems: 2,
    description: 'Type and value: num, cell, slice, tvm.Cell, tvm.Slice, tuple, list',
    items: { oneOf: [STRING, INT64, ref('LegacyStackCell'), ref('TvmTuple'), ref('TvmList')] },
  },
}
