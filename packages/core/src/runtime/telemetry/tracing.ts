import { isEepError } from '../../kernel/errors.ts'
import type { Span, SpanStart, TraceHeaders, Tracer } from '../../ports/tracer.ts'

/** The traces of a service. Without a tracer, work runs as if there were none. */
export interface Tracing {
  /** Whether traces are recorded. */
  readonly isOn: boolean
  /** Starts a span that the caller ends. Undefined when traces are off. */
  start(span: SpanStart): Span | undefined
  /** Runs work in a span, which fails if the work does. The span is undefined when traces are off. */
  trace<Result>(span: SpanStart, work: (span: Span | undefined) => Promise<Result>): Promise<Result>
  /** The headers of the active span; none outside of spans. */
  activeHeaders(): TraceHeaders
}

/** Returns the type of an error for a span: its code or class. Messages may quote what clients sent. */
export function errorTypeOf(error: unknown): string {
  if (isEepError(error)) return error.code
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'unknown'
}

const NO_HEADERS: TraceHeaders = {}
const OFF: Tracing = {
  isOn: false,
  start: () => undefined,
  trace: (_span, work) => work(undefined),
  activeHeaders: () => NO_HEADERS,
}

/** Connects a service with a tracer. */
export function createTracing(tracer: Tracer | undefined): Tracing {
  if (!tracer) return OFF
  return {
    isOn: true,
    start: (span) => tracer.start(span),
    async trace(start, work) {
      const span = tracer.start(start)
      try {
        const result = await span.run(() => work(span))
        span.end()
        return result
      } catch (error) {
        span.end(errorTypeOf(error))
        throw error
      }
    },
    activeHeaders: () => tracer.activeHeaders(),
  }
}
