import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { SpanStart, TraceHeaders, Tracer } from '../ports/tracer.ts'

/** Options of {@link openTelemetryTracing}. */
export interface OpenTelemetryOptions {
  /** Where spans go. Default: the global provider, which the SDK of the host registers. */
  readonly tracerProvider?: TracerProvider | undefined
  /**
   * Whether requests continue the trace of their `traceparent`. With `false` each request begins a new trace, which has a link to
   * that of the client: clients then cannot decide what is sampled. Default: true.
   */
  readonly continueTraces?: boolean | undefined
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

/** A version, a trace, a span and flags. Later versions may have more fields, which are ignored. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const MAX_TRACEPARENT = 128
const MAX_TRACESTATE = 512

/** Reads the headers of W3C Trace Context; undefined when they are malformed. */
function readHeaders({ traceparent, tracestate }: TraceHeaders): SpanContext | undefined {
  if (traceparent === undefined || traceparent.length > MAX_TRACEPARENT) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? []
  if (version === '00' && more !== undefined) return undefined
  const found: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(tracestate && tracestate.length <= MAX_TRACESTATE ? { traceState: createTraceState(tracestate) } : {}),
  }
  return isSpanContextValid(found) ? found : undefined
}

/** Writes the headers of W3C Trace Context. Other propagators of the host are not used: baggage must not leave it. */
function writeHeaders(of: SpanContext | undefined): TraceHeaders {
  if (!of || !isSpanContextValid(of)) return {}
  const { traceId, spanId, traceFlags, traceState } = of
  const tracestate = traceState?.serialize()
  return {
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`,
    ...(tracestate ? { tracestate } : {}),
  }
}

/**
 * Records traces with OpenTelemetry. The host starts its SDK, with a context manager, before the service.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/observability.md
 * @example
 * await app.register(eep, { ...options, tracing: { tracer: openTelemetryTracing() } })
 */
export function openTelemetryTracing({ tracerProvider, continueTraces = true }: OpenTelemetryOptions = {}): Tracer {
  // The global provider is a proxy, so the SDK may be registered later.
  const tracer = (tracerProvider ?? trace).getTracer('@eep/core')

  const parentOf = (remote: SpanContext | undefined, kind: SpanStart['kind']): Context =>
    remote && (continueTraces || kind !== 'server') ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT

  return {
    start({ name, kind, attributes = {}, remoteParent }) {
      const remote = remoteParent && readHeaders(remoteParent)
      // A host that traces its server itself has begun the span of the request already.
      const isInHost = kind === 'server' && trace.getActiveSpan() !== undefined
      const parent = remoteParent && !isInHost ? parentOf(remote, kind) : context.active()
      const links = remote && kind === 'server' && !continueTraces ? [{ context: remote }] : []
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes }, links }, parent)
      const inside = trace.setSpan(parent, span)
      return {
        run: (work) => context.with(inside, work),
        set: (more) => void span.setAttributes({ ...more }),
        end(errorType) {
          if (errorType !== undefined) {
            span.setAttribute('error.type', errorType)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
        headers: () => writeHeaders(span.spanContext()),
      }
    },
    activeHeaders: () => writeHeaders(trace.getActiveSpan()?.spanContext()),
  }
}
