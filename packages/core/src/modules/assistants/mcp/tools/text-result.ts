import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import type { InnerAnswer, ToolResult } from './tool.ts'

/** The greatest length of a text in a result, in characters. */
export const MAX_CHARS = 50_000

const numberOf = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : fallback

/** The part of a text that the arguments of a tool ask for. */
export const partOf = ({ offset, max_chars }: McpObject) => ({
  offset: numberOf(offset, 0),
  maxChars: Math.min(Math.max(numberOf(max_chars, MAX_CHARS), 1), 200_000),
})

/** Whether a response was paid for with its request: another request for the rest might have to be paid again. */
const isBought = ({ headers }: InnerAnswer): boolean =>
  headers['payment-response'] !== undefined || headers['payment-receipt'] !== undefined

/** Returns a part of a text, and states what comes after it. It never splits a character. Texts that were paid for are never cut. */
export function cutText(
  answer: InnerAnswer,
  { maxChars, offset }: { readonly maxChars: number; readonly offset: number },
): ToolResult {
  const { text } = answer
  if (isBought(answer)) {
    return { is: 'text', text, meta: { 'dev.eep/text': { offset: 0, total_chars: text.length } }, answer }
  }
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
