import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Ids of clients are logged and returned, so they are short and have no characters with a meaning in logs and headers. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/

/** A `traceparent` of W3C Trace Context. Versions after 00 may add fields. Trace and parent are not all zeros. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

/**
 * Returns the id of a request: the `X-Request-Id` of the client if it is well-formed, else the trace id of its
 * `traceparent`, else a new UUID. Clients choose it, so it finds log lines and proves nothing.
 */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const { 'x-request-id': id, traceparent } = headers
  if (typeof id === 'string' && REQUEST_ID.test(id)) return id
  if (typeof traceparent === 'string' && traceparent.length <= MAX_TRACEPARENT) {
    const { trace } = TRACEPARENT.exec(traceparent)?.groups ?? {}
    if (trace !== undefined) return trace
  }
  return randomUUID()
}

const MAX_TRACEPARENT = 128
