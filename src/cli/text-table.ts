/** Unix seconds as UTC, for people. */
export const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '')

/** What a terminal obeys instead of showing it: control characters, and those that turn the direction of writing. */
const OBEYED = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A text of strangers for people at a terminal. JSON stays the same JSON: what is not shown is escaped as there. */
export const shownText = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

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
