/** Unix seconds as UTC, for people. */
export const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '')

/** Lines of columns of equal width, two blanks apart. Each row has as many cells as the first one. */
export const textTable = (rows: readonly string[][]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => rows.reduce((most, row) => Math.max(most, row[column]!.length), 0))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
