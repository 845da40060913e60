/** Traces by OpenTelemetry, for hosts that have `@opentelemetry/api` installed. */

export { type OpenTelemetryOptions, openTelemetryTracing } from '../adapters/open-telemetry.ts'
export type { Span, SpanAttributes, SpanKind, SpanStart, TraceHeaders, Tracer } from '../ports/tracer.ts'
