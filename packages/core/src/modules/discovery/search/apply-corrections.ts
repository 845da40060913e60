/** Returns a query with its misspelled words replaced. */
export function applyCorrections(query: string, corrections: ReadonlyMap<string, string>): string {
  return query.replaceAll(/[\p{L}\p{N}\p{M}]+/gu, (word) => corrections.get(word.toLowerCase()) ?? word)
}
