/** An error response of Stripe. */
export interface StripeFault {
  readonly status: number
  readonly error: Readonly<Record<string, unknown>>
}

const mark = Symbol('stripe fault')

/** Creates an error response to throw. */
export const stripeFault = (status: number, error: Record<string, unknown>): StripeFault & Error =>
  Object.assign(new Error(String(error.message ?? error.code)), { [mark]: true, status, error })

export const isStripeFault = (error: unknown): error is StripeFault & Error =>
  typeof error === 'object' && error !== null && mark in error

export const invalidRequest = (message: string, more: Record<string, unknown> = {}) =>
  stripeFault(400, { type: 'invalid_request_error', message, ...more })

export const missing = (kind: string, id: string) =>
  stripeFault(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${kind}: '${id}'` })

export const declined = (code: string, intent: unknown, declineCode?: string) =>
  stripeFault(402, {
    type: 'card_error',
    code,
    message: 'Your card was declined.',
    ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    payment_intent: intent,
  })
