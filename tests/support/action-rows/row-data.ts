import type { ActionColumns, ActionType, DetailsOf } from '../../../src/model/action.ts'

/** The composite columns of the reference's table of actions that a type fills, by the names that they have there. */
export type RowData = {
  readonly [Type in ActionType]?: (
    details: DetailsOf<Type>,
    columns: ActionColumns,
  ) => Readonly<Record<string, unknown>>
}
