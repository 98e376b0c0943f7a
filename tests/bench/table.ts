/** One line of the table: what was measured, our figure, and what it stands beside (measured in the same run). */
export interface Row {
  what: string
  ours: string
  beside?: string
  ratio?: string
}

/** Prints the rows as one Markdown table. */
export const printTable = (rows: readonly Row[]): void => {
  const cells = [
    ['what', 'ours', 'beside it', 'ratio'],
    ...rows.map((row) => [row.what, row.ours, row.beside ?? '', row.ratio ?? '']),
  ]
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)))
  const line = (parts: readonly string[]): string =>
    `| ${parts.map((part, column) => part.padEnd(widths[column]!)).join(' | ')} |`
  console.log(line(cells[0]!))
  console.log(line(widths.map((width) => '-'.repeat(width))))
  for (const parts of cells.slice(1)) console.log(line(parts))
}

/** A number with a unit, rounded to what can be read. */
export const figure = (value: number, unit: string): string =>
  `${value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)} ${unit}`

/** The value below which the given share (0 to 1) of the sorted samples lies. */
export const quantile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.min(samples.length - 1, Math.floor(samples.length * share))] ?? Number.NaN
