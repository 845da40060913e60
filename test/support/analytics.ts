import { expect } from 'vitest'
import type { Client } from './client.ts'
import { LONG } from './wait.ts'

/** For checks that are requests. */
export const EACH_A_REQUEST = { ...LONG, interval: 100 }

/** A user agent of a browser. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** The figures of a profile, as its team gets them. */
export async function analyticsOf(team: Pick<Client, 'get'>, profileId: number, query = '') {
  const response = await team.get(`/analytics/profiles/${profileId}${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** Waits until the totals of a profile are as expected, which takes a second. */
export const untilTotals = (team: Pick<Client, 'get'>, profileId: number, totals: object) =>
  expect.poll(async () => (await analyticsOf(team, profileId)).totals, EACH_A_REQUEST).toMatchObject(totals)
