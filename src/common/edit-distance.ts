const MOST_EDITS = 2

/**
 * The word of `words` that is nearest to `word` by Levenshtein distance, or undefined when none is near enough to be
 * what was meant: two letters may differ, and no more than a third of them.
 * @param prefix what all words begin with, which says nothing about how near they are
 */
export const nearestWord = (word: string, words: Iterable<string>, prefix = ''): string | undefined => {
  let best: string | undefined
  let bestDistance = Math.min(MOST_EDITS, Math.floor((word.length - prefix.length) / 3)) + 1
  for (const candidate of words) {
    const distance = editDistance(word, candidate)
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** The end of a message about an unknown word: `; did you mean listen?`, or nothing where no word is near (`nearestWord`). */
export const suggestion = (word: string, known: Iterable<string>, prefix = ''): string => {
  const meant = nearestWord(word, known, prefix)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** How many letters must be put in, taken out or changed to make `b` of `a`. */
export const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
