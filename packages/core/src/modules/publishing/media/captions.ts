import { setImmediate } from 'node:timers/promises'
import { documentOf, inline, paragraphs } from '../../../kernel/markdown.ts'
import type { Transcript } from '../../../ports/storage/media.ts'

type Spoken = Pick<Transcript, 'text' | 'segments' | 'durationSeconds'>

const MS = 1_000
/** A cue must end after its start, even if the transcriber reports otherwise. */
const SHORTEST_MS = 1

/** `01:02:03.004`. */
function timestamp(milliseconds: number): string {
  const of = (unit: number, modulo: number) => Math.floor(milliseconds / unit) % modulo
  const hours = String(Math.floor(milliseconds / (3_600 * MS))).padStart(2, '0')
  const rest = [of(60 * MS, 60), of(MS, 60)].map((part) => String(part).padStart(2, '0')).join(':')
  return `${hours}:${rest}.${String(milliseconds % MS).padStart(3, '0')}`
}

const inMs = (seconds: number) => Math.round(seconds * MS)

/** Text of a cue: no tag, no arrow, and no empty line, which would end it. */
const cueText = (text: string) =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** A single cue for text without times. */
const segmentsOf = ({ text, segments, durationSeconds }: Spoken) =>
  segments.length > 0 || text === '' ? segments : [{ startSeconds: 0, endSeconds: durationSeconds, text }]

/** How many segments are written between two turns of the event loop; a transcript has up to 50,000. */
const SEGMENTS_A_TURN = 5_000

async function mapInTurns<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += SEGMENTS_A_TURN) {
    if (at > 0) await setImmediate()
    for (const item of items.slice(at, at + SEGMENTS_A_TURN)) results.push(map(item))
  }
  return results
}

/** A transcript as WebVTT, for players. */
export async function webVttOf(spoken: Spoken): Promise<string> {
  const cues = await mapInTurns(segmentsOf(spoken), ({ startSeconds, endSeconds, text }) => {
    const start = inMs(startSeconds)
    const end = Math.max(inMs(endSeconds), start + SHORTEST_MS)
    return `${timestamp(start)} --> ${timestamp(end)}\n${cueText(text)}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

/** A transcript for reading, each part with the time at which it begins. */
export async function markdownOf(filename: string, { text, segments }: Spoken): Promise<string> {
  const lines = await mapInTurns(segments, (segment) => {
    const [time] = timestamp(inMs(segment.startSeconds)).split('.')
    return `**${time}** ${inline(segment.text)}`
  })
  return documentOf(`# ${inline(filename)}`, lines.length > 0 ? lines.join('\n\n') : paragraphs(text))
}
