import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Span } from '../../ports/tracer.ts'
import type { Tracing } from '../../runtime/telemetry/tracing.ts'

/** Runs the work of a request in its span. */
export type InSpan = (request: FastifyRequest, work: () => void) => void

const headerOf = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)

/**
 * Records a span for each request, from its head to the end of its response, by the operation of the OpenAPI document. It has
 * neither the path nor the query, which may have secrets and names. Returns a function that enters the span, and enters it again
 * after the body.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): InSpan {
  if (!tracing.isOn) return (_request, work) => work()
  const spans = new WeakMap<FastifyRequest, Span>()

  function spanOf(request: FastifyRequest): Span | undefined {
    const known = spans.get(request)
    if (known) return known
    const { method, headers, protocol, routeOptions } = request
    const { operationId: own, aliasOf } = routeOptions.config.eep ?? {}
    const operationId = aliasOf ?? own
    const span = tracing.start({
      name: operationId ? `${method} ${operationId}` : method,
      kind: 'server',
      remoteParent: { traceparent: headerOf(headers.traceparent), tracestate: headerOf(headers.tracestate) },
      attributes: {
        'http.request.method': method,
        'url.scheme': protocol,
        ...(routeOptions.url === undefined ? {} : { 'http.route': routeOptions.url }),
        ...(operationId ? { 'eep.operation': operationId } : {}),
        'eep.request_id': request.id,
      },
    })
    if (span) spans.set(request, span)
    return span
  }

  function end(request: FastifyRequest, statusCode: number | undefined, errorType?: string): void {
    const span = spans.get(request)
    if (!span) return
    spans.delete(request)
    if (statusCode !== undefined) span.set({ 'http.response.status_code': statusCode })
    span.end(errorType)
  }

  app.addHook('onResponse', (request: FastifyRequest, { statusCode }: FastifyReply, done) => {
    // A refusal is not a failure of the service.
    end(request, statusCode, statusCode >= 500 ? String(statusCode) : undefined)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    end(request, undefined, 'request_aborted')
    done()
  })

  return (request, work) => {
    const span = spanOf(request)
    if (span) span.run(work)
    else work()
  }
}
