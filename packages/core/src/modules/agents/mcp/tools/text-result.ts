import type { InnerAnswer, ToolResult } from './tool.ts'

/** The greatest length of a text in a result, in characters. */
export const MAX_CHARS = 50_000

/** Returns a part of a text, and states what comes after it. It never splits a character. */
export function cutText(
  answer: InnerAnswer,
  { maxChars, offset }: { readonly maxChars: number; readonly offset: number },
): ToolResult {
  const { text } = answer
  const begin = isSecondHalf(text, offset) ? offset - 1 : offset
  const limit = begin + maxChars
  const end = isSecondHalf(text, limit) ? limit - 1 : limit
  const part = text.slice(begin, end)
  const rest = text.length - end
  const note = rest > 0 ? `\n\n[${rest} more characters: call again with offset ${end}]` : ''
  const meta = { 'dev.eep/text': { offset: begin, total_chars: text.length, ...(rest > 0 && { next_offset: end }) } }
  return { is: 'text', text: part + note, meta, answer }
}

/** Whether a position is between the two code units of one character. */
const isSecondHalf = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff
}
