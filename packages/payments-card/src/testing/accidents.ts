import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './idempotency.ts'

/** A failure of one call. Failures whose names end in `_after` happen after the call was carried out. */
export type StripeFaultKind =
  /** No failure, to reach a later call. */
  | 'nothing'
  | 'hang_before'
  | 'hang_after'
  | 'reset_before'
  | 'reset_after'
  /** The response is a 500. A repeat with the same idempotency key returns the real result. */
  | 'error_before'
  | 'error_after'
  /** The response is a 500, which is stored for the idempotency key. */
  | 'stored_error_after'
  /** The same for a call that was not carried out. */
  | 'stored_error_before'
  | 'rate_limit'
  | 'conflict'
  | 'redirect_before'
  | 'redirect_after'
  | 'wrong_amount_after'
  | 'wrong_currency_after'
  | 'no_json_after'
  | 'twice_after'
  | 'slow_after'
  | 'bad_key'
  /** The key is for test mode and the object for live mode, or the reverse. */
  | 'other_mode'

export function send(response: ServerResponse, { status, body }: Answer, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake', ...headers })
  response.end(JSON.stringify(body, null, 2))
}

export const failed = (status: number, error: Record<string, unknown>): Answer => ({ status, body: { error } })
export const down = failed(500, { type: 'api_error', message: 'An unknown error occurred' })

/** Failures before a call is carried out. */
export function failBefore(fault: StripeFaultKind | undefined, response: ServerResponse): boolean {
  if (fault === 'hang_before') return true
  if (fault === 'reset_before') response.destroy()
  else if (fault === 'error_before') send(response, down)
  else if (fault === 'redirect_before') response.writeHead(302, { location: '/elsewhere' }).end()
  else if (fault === 'rate_limit') send(response, failed(429, { type: 'api_error', code: 'rate_limit' }))
  else if (fault === 'bad_key')
    send(response, failed(401, { type: 'invalid_request_error', message: 'Invalid API Key' }))
  else if (fault === 'other_mode') {
    const message = "No such thing: 'x'; a similar object exists in live mode, but a test mode key was used."
    send(response, failed(404, { type: 'invalid_request_error', code: 'resource_missing', message }))
  } else if (fault === 'conflict') send(response, failed(409, { type: 'api_error', code: 'lock_timeout' }))
  else return false
  return true
}

/** Failures after a call was carried out. */
export async function answerWith(
  fault: StripeFaultKind | undefined,
  response: ServerResponse,
  answer: Answer,
  replayed: boolean,
  slowMs: number,
) {
  const headers: Record<string, string> = replayed ? { 'idempotent-replayed': 'true' } : {}
  if (fault === 'hang_after') return
  if (fault === 'reset_after') return response.destroy()
  if (fault === 'error_after' || fault === 'stored_error_after') return send(response, down)
  if (fault === 'redirect_after') return response.writeHead(302, { location: '/elsewhere' }).end()
  if (fault === 'no_json_after') return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>OK</h1>')
  if (fault === 'slow_after') await sleep(slowMs)
  const body = answer.body as object
  if (fault === 'wrong_amount_after')
    return send(response, { ...answer, body: { ...body, amount: 1, amount_received: 1 } })
  if (fault === 'wrong_currency_after') return send(response, { ...answer, body: { ...body, currency: 'jpy' } })
  send(response, answer, headers)
  if (fault === 'twice_after') response.socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
}
