import { EventEmitter, once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SignalEvent } from './envelope.ts'
import { createEventStreams, type EventStream } from './event-stream.ts'

const LONG = { timeout: 60_000, interval: 5 }
const BEAT_MS = 15_000

afterEach(() => void vi.useRealTimers())

/** A stream over HTTP. The test moves the timer of the heartbeats and the clock; everything else is real. */
async function openStream() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const streams = createEventStreams()
  streams.worker.start()
  const opened = Promise.withResolvers<EventStream>()
  const onClose = vi.fn()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    opened.resolve(streams.open(response, onClose))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  onTestFinished(async () => {
    await streams.worker.stop()
    request.destroy()
    server.close()
    server.closeAllConnections()
  })
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  let text = ''
  response.on('data', (chunk) => {
    text += chunk
  })
  return { stream: await opened.promise, request, response, onClose, text: () => text }
}

const eventOf = (json: string) => ({ envelope: { id: '1a', type: 'test.made' }, json }) as SignalEvent

describe('a stream without events', () => {
  it('gets a comment every 15 seconds', async () => {
    const { text, onClose } = await openStream()
    await vi.waitFor(() => expect(text()).toBe('retry: 3000\n: connected\n\n'), LONG)
    vi.advanceTimersByTime(BEAT_MS)
    await vi.waitFor(() => expect(text().match(/^: heartbeat \d{4}-\d\d-\d\dT[\d:.]+Z$/gm)).toHaveLength(1), LONG)
    vi.advanceTimersByTime(BEAT_MS)
    await vi.waitFor(() => expect(text().match(/^: heartbeat /gm)).toHaveLength(2), LONG)
    expect(onClose).not.toHaveBeenCalled()
  })
})

describe('a client that takes nothing', () => {
  it('is disconnected after a minute when comments alone have filled its buffer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const streams = createEventStreams()
    streams.worker.start()
    const response = Object.assign(new EventEmitter(), {
      write: vi.fn(() => false),
      destroy: vi.fn(() => response.emit('close')),
    })
    const onClose = vi.fn()
    streams.open(response as unknown as ServerResponse, onClose)
    for (let beats = 0; beats < 5; beats += 1) vi.advanceTimersByTime(BEAT_MS)
    expect([response.write.mock.calls.length, onClose.mock.calls.length]).toEqual([2, 0])
    vi.advanceTimersByTime(BEAT_MS)
    expect(onClose).toHaveBeenCalledOnce()
    await streams.worker.stop()
  })

  it('gets no comments, and is disconnected after a minute', async () => {
    const { stream, response, text, onClose } = await openStream()
    await vi.waitFor(() => expect(text()).toContain('connected'), LONG)
    response.pause()
    // More than the buffers of the system take.
    const waiting = stream.send(eventOf('x'.repeat(67_108_864)))
    expect(waiting).toBeDefined()
    for (let beats = 0; beats < 4; beats += 1) vi.advanceTimersByTime(BEAT_MS)
    await new Promise(setImmediate)
    expect(onClose).not.toHaveBeenCalled()
    vi.advanceTimersByTime(BEAT_MS)
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), LONG)
    await waiting
    expect(text()).not.toContain('heartbeat')
  })
})
