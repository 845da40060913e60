import type { Transcription, TranscriptSegment } from '../../../ports/transcriber.ts'

/** Longer text is cut off; no recording of a few hours contains more. */
const MAX_TEXT = 2_000_000
const MAX_SEGMENTS = 50_000

const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/

/** Databases do not store the character 0, and lone surrogates are not characters. */
const clean = (text: string, most: number) => text.slice(0, most).toWellFormed().replaceAll('\0', '').trim()

const isTime = (seconds: number) => Number.isFinite(seconds) && seconds >= 0

/** Normalizes the result of a transcriber for storage, because it comes from an external service. */
export function tidied(said: Transcription, toldSeconds: number): Transcription {
  const durationSeconds = isTime(said.durationSeconds) ? said.durationSeconds : toldSeconds
  const segments: TranscriptSegment[] = []
  let left = MAX_TEXT
  for (const segment of said.segments.slice(0, MAX_SEGMENTS)) {
    const text = clean(segment.text, left)
    if (text === '' || !isTime(segment.startSeconds)) continue
    left -= text.length
    const end = isTime(segment.endSeconds) ? segment.endSeconds : segment.startSeconds
    segments.push({ startSeconds: segment.startSeconds, endSeconds: Math.max(end, segment.startSeconds), text })
  }
  segments.sort((one, other) => one.startSeconds - other.startSeconds)
  const { language } = said
  return {
    text: clean(said.text, MAX_TEXT),
    language: language !== null && LANGUAGE.test(language) ? language : null,
    segments,
    durationSeconds,
  }
}
