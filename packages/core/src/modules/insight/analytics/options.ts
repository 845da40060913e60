import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { callback } from '../../../framework/options/fields.ts'

/** Returns the country of a request: two letters (ISO 3166-1), or nothing when it is unknown. Called for each counted read. */
export type CountryOf = (request: {
  readonly address: string
  readonly headers: IncomingHttpHeaders
}) => string | undefined

/** The options of the feature. */
export const analyticsOptions = {
  /**
   * Returns the country of a request as two letters, for example from a header that a proxy sets. It must be fast.
   * Errors that it throws are ignored.
   * @default none: countries are not counted
   */
  countryOf: callback<CountryOf>().optional(),
  /**
   * How long figures of hours, and what agents did, are kept, in days. Older hours are added up to days.
   * @default 90
   */
  hourRetentionDays: z.int().min(3).max(36_500).default(90),
  /**
   * How long figures of days are kept, in days.
   * @default 3650
   */
  dayRetentionDays: z.int().min(3).max(36_500).default(3_650),
}
