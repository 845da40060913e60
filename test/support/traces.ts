import { openTelemetryTracing } from '@eep/core/tracing'
import { context, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { vi } from 'vitest'

/** A span as a test reads it. */
export interface SeenSpan {
  readonly name: string
  readonly kind: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly failed: boolean
  /** The traces to which it has links. */
  readonly links: readonly string[]
}

/** Records the spans of a test file with the SDK of OpenTelemetry. */
export function recordTraces(options: { readonly continueTraces?: boolean } = {}) {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const spans = (): readonly SeenSpan[] =>
    exporter.getFinishedSpans().map((span) => ({
      name: span.name,
      kind: SpanKind[span.kind].toLowerCase(),
      traceId: span.spanContext().traceId,
      spanId: span.spanContext().spanId,
      parentId: span.parentSpanContext?.spanId,
      attributes: span.attributes,
      failed: span.status.code === SpanStatusCode.ERROR,
      links: span.links.map((link) => link.context.traceId),
    }))
  return {
    tracing: { tracer: openTelemetryTracing({ tracerProvider, ...options }) },
    spans,
    /** Everything that was recorded, as text. */
    text: () =>
      JSON.stringify(
        exporter.getFinishedSpans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
      ),
    /** Waits for an ended span. */
    find: (fits: (span: SeenSpan) => boolean): Promise<SeenSpan> =>
      vi.waitFor(() => {
        const found = spans().findLast(fits)
        if (!found) throw new Error(`it is not among ${spans().map(({ name }) => name)}`)
        return found
      }, 20_000),
  }
}
