import { defineCounter, defineGauge } from '../../../runtime/telemetry/define-metric.ts'

export const openStreams = defineGauge(
  'eep_event_streams_open',
  'Subscriptions to events that are open on this instance',
)
export const streamEvents = defineCounter(
  'eep_event_stream_events_total',
  'Events for streams: `delivered` live, `replayed` from the log, and streams that ended with `reset` or as `slow`',
  ['outcome'],
)

export const signalMetrics = [openStreams, streamEvents]
