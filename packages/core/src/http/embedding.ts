import type { FastifyRequest } from 'fastify'
import { defineError } from '../kernel/errors.ts'

export const notCode = defineError(
  'not_code',
  403,
  'This address has content of an account. Browsers may not run it as a script or apply it as a style',
)

/** The destinations of a browser that run what they load, or apply it as a style (Fetch, 2.2.5). */
const CODE: ReadonlySet<unknown> = new Set([
  'script',
  'style',
  'xslt',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
])

/**
 * Keeps browsers from running what a route serves: for routes with bytes that accounts upload. An `onRequest` hook.
 *
 * @throws `not_code`
 */
export async function refuseAsCode(request: FastifyRequest): Promise<void> {
  if (CODE.has(request.headers['sec-fetch-dest'])) throw notCode()
}

/** What answers of these routes vary on: a browser must not reuse the answer to an image as a script. */
export const DESTINATION_VARY = 'Sec-Fetch-Dest'
