const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The longest beginning of a text that has at most this many code points and ends between two grapheme clusters. */
export function cutToCodePoints(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text
  let [end, count] = [0, 0]
  for (const { segment } of segmenter.segment(text)) {
    count += [...segment].length
    if (count > maxCodePoints) return text.slice(0, end)
    end += segment.length
  }
  return text
}
