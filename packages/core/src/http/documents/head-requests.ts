import type { onSendHookHandler } from 'fastify'

interface Destroyable {
  destroy(): unknown
}

/** Whether a payload is a stream of Node, which may fail while it is sent. */
const isStream = (payload: unknown): payload is Destroyable =>
  typeof (payload as Partial<Destroyable> | null)?.destroy === 'function'

/** Statuses whose responses have no body, so no length either (RFC 9110, 8.6). */
const WITHOUT_LENGTH: ReadonlySet<number> = new Set([204, 304])

/** Removes the body of the response to a HEAD request and keeps the headers that GET would have after compression. */
export const removeBody: onSendHookHandler = ({ method, raw: { httpVersion } }, reply, payload, done) => {
  if (method !== 'HEAD') {
    done(null, payload)
    return
  }
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    reply.header('content-length', Buffer.byteLength(payload))
  } else if (isStream(payload)) {
    payload.destroy()
    // The framing that GET would have; HTTP/2 and HTTP/1.0 have none.
    if (httpVersion === '1.1' && !reply.hasHeader('content-length')) reply.header('transfer-encoding', 'chunked')
  } else if (!WITHOUT_LENGTH.has(reply.statusCode) && !reply.hasHeader('content-length')) {
    reply.header('content-length', 0)
  }
  done(null, null)
}

/** Whether GET requests to a route can become WebSocket connections. Such a route takes no other method. */
export const acceptsSockets = (route: object): boolean => 'wsHandler' in route
