import type { FastifyRequest } from 'fastify'
import type { Screen } from '../../../framework/module/screen.ts'
import { errorKeyOf } from '../../../http/html/error-keys.ts'
import { errorMessages, pageMessages } from '../../../http/html/messages.ts'
import type { Site } from '../../../http/html/view.ts'
import { retrySeconds, waitText } from '../../../http/html/wait-text.ts'
import { formAlreadySent } from '../../../http/idempotency/send-once.ts'
import { type EepError, isEepError } from '../../../kernel/errors.ts'
import { consoleMessages, type ProblemKey } from './messages.ts'

const BY_CODE: ReadonlyMap<string, ProblemKey> = new Map(
  Object.entries({
    validation_failed: 'checkFields',
    not_profile_owner: 'notAllowed',
    form_already_sent: 'alreadySent',
    idempotency_in_flight: 'stillRuns',
    rate_limited: 'tooMany',
    too_many_idempotency_keys: 'tooMany',
    precondition_failed: 'changedMeanwhile',
    file_quota_reached: 'quotaReached',
    gate_permission_required: 'askAdmin',
    profile_not_found: 'profileGone',
    page_not_found: 'pageGone',
  } as const),
)

function textOf(screen: Screen, error: EepError, site: Site): string {
  const own = screen.problem?.(error, site)
  if (own !== undefined) return own
  const key = BY_CODE.get(error.code)
  if (key !== undefined) return consoleMessages(site)(key)
  // Errors that no screen expects have the title of their status, and their own words.
  return `${errorMessages(site)(errorKeyOf(error.status))}. ${error.message}`
}

/** What a screen shows about an error. */
export interface Problem {
  readonly status: number
  readonly problem: string
  /** The address of what a form made when it was sent before, with other values. */
  readonly made?: string | undefined
}

function madeBy({ code, details }: EepError): string | undefined {
  if (code !== formAlreadySent.code) return undefined
  return (details as { readonly location?: string } | undefined)?.location
}

/** Returns what a screen shows about an error. Unexpected errors are logged. */
export function problemOf(screen: Screen, error: unknown, request: FastifyRequest): Problem {
  const { site } = request.eep
  if (!isEepError(error)) {
    request.log.error({ err: error }, 'a form could not be processed')
    const reference = `${errorMessages(site)('reference')} ${request.id}`
    return { status: 500, problem: `${errorMessages(site)('failedLead')} ${reference}` }
  }
  if (error.status >= 500) request.log.warn({ err: error }, 'a form could not be processed')
  const seconds = retrySeconds(error)
  const wait = seconds === undefined ? '' : ` ${pageMessages(site)('retryIn', { time: waitText(site, seconds) })}`
  return { status: error.status, problem: `${textOf(screen, error, site)}${wait}`, made: madeBy(error) }
}
