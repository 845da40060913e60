/** What a span measures: work of this process, or a call to or from another one. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** The attributes of a span, by the names of the semantic conventions of OpenTelemetry. Never secrets or personal data. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Headers of W3C Trace Context, which lead from one process to another. */
export interface TraceHeaders {
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

/** How a span begins. */
export interface SpanStart {
  /** With few values: an operation, never an id. */
  readonly name: string
  readonly kind: SpanKind
  readonly attributes?: SpanAttributes | undefined
  /** The headers of the caller, which anyone may send and which may be malformed. Default: the parent is the active span. */
  readonly remoteParent?: TraceHeaders | undefined
}

/** A measured piece of work. */
export interface Span {
  /** Runs work inside the span: spans that it starts, also later, are its children. */
  run<Result>(work: () => Result): Result
  /** Adds attributes. */
  set(attributes: SpanAttributes): void
  /** Ends the span; called once. `errorType` is set when the work failed: a code or a class, never a message. */
  end(errorType?: string): void
  /** The headers for requests to others, which make their spans children of this one. */
  headers(): TraceHeaders
}

/** Records the traces of one service. */
export interface Tracer {
  /** Starts a span. */
  start(span: SpanStart): Span
  /** The headers of the active span; none outside of spans. */
  activeHeaders(): TraceHeaders
}
