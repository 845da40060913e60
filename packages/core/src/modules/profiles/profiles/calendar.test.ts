import { expect, it } from 'vitest'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { calendarOf, hasCalendar } from './calendar.ts'
import { blankProfile } from './new-profile.ts'

const at = new Date('2026-03-04T05:06:07.890Z')

const event = (typeData: JsonObject, changes: Partial<Profile> = {}): Profile => ({
  ...blankProfile({ ownerAccountId: 'a', type: 'event', username: 'harbour-day', fullName: 'Harbour day', at }),
  id: 1,
  typeData,
  withdrawnAt: null,
  updatedAt: at,
  ...changes,
})

const linesOf = (typeData: JsonObject, changes?: Partial<Profile>) =>
  calendarOf(event(typeData, changes), 'https://profiles.example')?.split('\r\n') ?? []

it('writes an event with its start, its end and its place', () => {
  const lines = linesOf({
    starts_at: '2026-07-01T18:00:00',
    ends_at: '2026-07-01T20:30:00',
    timezone: 'Europe/Berlin',
    venue: 'Pier 4, the hall',
  })
  expect(lines).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//EEP//Profiles//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    'UID:did:web:profiles.example:e:harbour-day',
    'DTSTAMP:20260304T050607Z',
    'CREATED:20260304T050607Z',
    'LAST-MODIFIED:20260304T050607Z',
    'DTSTART:20260701T160000Z',
    'DTEND:20260701T183000Z',
    'SUMMARY:Harbour day',
    'LOCATION:Pier 4\\, the hall',
    'URL:https://profiles.example/e/harbour-day',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

it('keeps a time without a zone as the time of the clocks there', () => {
  expect(linesOf({ starts_at: '2026-07-01T18:00:00' })).toContain('DTSTART:20260701T180000')
})

it('escapes texts, so that no author adds a line', () => {
  const lines = linesOf(
    { starts_at: '2026-07-01T18:00:00Z' },
    { fullName: 'A;b,c\\d', bio: 'One\r\nBEGIN:VALARM\rTwo\u0000\u0085Three' },
  )
  expect(lines).toContain('SUMMARY:A\\;b\\,c\\\\d')
  expect(lines).toContain('DESCRIPTION:One\\nBEGIN:VALARM\\nTwo  Three')
})

it('folds lines after 75 octets and cuts no character', () => {
  const bio = 'ä😀'.repeat(60)
  const text = calendarOf(event({ starts_at: '2026-07-01T18:00:00Z' }, { bio }), 'https://profiles.example') ?? ''
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:${bio}`)
})

it.each([{}, { starts_at: 'soon' }, { starts_at: '' }])('has no file for an event without a start: %j', (typeData) => {
  expect(hasCalendar(event(typeData))).toBe(false)
  expect(linesOf(typeData)).toEqual([])
})
