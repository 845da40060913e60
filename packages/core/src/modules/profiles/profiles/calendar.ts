import { withOffset } from '../../../model/event-time.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { didOf, profilePath } from './did.ts'

/** Octets of a line before it must be folded, without its end (RFC 5545, 3.1). */
const MAX_LINE = 75
const HAS_OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** Escapes a text (RFC 5545, 3.3.11). Control characters other than line breaks are not allowed in texts. */
const escaped = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?!\n)\p{Cc}/gu, ' ')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** Splits a line into pieces of at most 75 octets, each after the first with a space before it. No character is cut. */
function folded(line: string): string {
  const lines: string[] = []
  let piece = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_LINE) {
      lines.push(piece)
      piece = ' '
      octets = 1
    }
    piece += character
    octets += size
  }
  return [...lines, piece].join('\r\n')
}

const compact = (iso: string) => iso.replaceAll(/[-:]|\.\d+/g, '')

/** A time as calendars read it: in UTC, or without a zone when the event has none. Undefined for what is not a time. */
function calendarTime(text: string, timezone: string | undefined): string | undefined {
  const exact = withOffset({ text, timezone })
  if (!HAS_OFFSET.test(exact)) {
    const at = new Date(`${exact}Z`)
    return Number.isNaN(at.getTime()) ? undefined : compact(at.toISOString()).slice(0, -1)
  }
  const at = new Date(exact)
  return Number.isNaN(at.getTime()) ? undefined : compact(at.toISOString())
}

/** Whether the data of an event say when it starts, so that calendars can hold it. */
export const hasCalendar = ({ type, typeData }: Pick<Profile, 'type' | 'typeData'>): boolean =>
  type === 'event' && calendarTime(textOf(typeData.starts_at) ?? '', textOf(typeData.timezone)) !== undefined

/**
 * Writes the calendar file of an event. Undefined without a start.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5545
 */
export function calendarOf(profile: Profile, publicUrl: string): string | undefined {
  const { typeData, fullName, username, bio, createdAt, updatedAt } = profile
  const timezone = textOf(typeData.timezone)
  const [starts, ends] = [textOf(typeData.starts_at), textOf(typeData.ends_at)]
  const from = starts && calendarTime(starts, timezone)
  if (!hasCalendar(profile) || !from) return undefined
  const until = ends && calendarTime(ends, timezone)
  const place = textOf(typeData.venue) ?? textOf(typeData.online_url)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//EEP//Profiles//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${didOf(publicUrl, profile)}`,
    `DTSTAMP:${compact(updatedAt.toISOString())}`,
    `CREATED:${compact(createdAt.toISOString())}`,
    `LAST-MODIFIED:${compact(updatedAt.toISOString())}`,
    `DTSTART:${from}`,
    ...(until ? [`DTEND:${until}`] : []),
    `SUMMARY:${escaped(fullName ?? username)}`,
    ...(bio ? [`DESCRIPTION:${escaped(bio)}`] : []),
    ...(place ? [`LOCATION:${escaped(place)}`] : []),
    `URL:${publicUrl}${profilePath(profile)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
