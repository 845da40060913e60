import { defineCounter, defineGauge } from '../../../runtime/telemetry/define-metric.ts'

export const openSockets = defineGauge('eep_sockets_open', 'WebSocket connections that are open on this instance', [
  'socket',
])
export const framesCounted = defineCounter(
  'eep_socket_frames_total',
  'Frames of WebSocket connections: `received`, `sent`, or `refused` with an error',
  ['outcome'],
)

export const socketMetrics = [openSockets, framesCounted]
