import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../../model/caller.ts'
import type { ClientSocket } from '../../../ports/client-socket.ts'
import type { SignalEvent, SignalService } from '../signals/index.ts'
import { createConnection } from './connection.ts'
import { createFrameHandlers, type FrameHandlers } from './frame-handlers.ts'

const DID = 'did:web:profiles.example:u:ada'
// A connection reads these fields of its caller only.
const caller = { account: { id: 'ada' }, via: 'bearer', scopes: 'all', isAdmin: false } as unknown as Caller

const settings = {
  pingIntervalMs: 15_000,
  authWarningSeconds: 300,
  authRefreshSeconds: 60,
  maxFrameBytes: 65_536,
  framesPerSecond: 50,
}
const newcomer = {
  socket: 'pulse',
  caller,
  activeProfileId: undefined,
  authenticate: async () => caller,
  onClose: () => {},
} as const

const NAMES = { serviceDid: 'did:web:profiles.example', didOfAccount: () => DID }

const watchCredential = () => ({ check: () => {}, stop: () => {} })

const eventOf = (id: string): SignalEvent => {
  const envelope = {
    specversion: '1.0',
    eep_version: '0.1',
    id,
    source: DID,
    type: 'content.published',
    time: '2026-01-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    data: {},
  } as const
  const json = JSON.stringify(envelope)
  return { cursor: '1', type: 'content.published', profileId: 1, envelope, json, recipients: { kind: 'everyone' } }
}

/** A connection of a client that shows everything it gets. */
function openWith(handlers: FrameHandlers) {
  const emitter = new EventEmitter()
  const sent: string[] = []
  const wire: ClientSocket = {
    bufferedAmount: 0,
    send: (text) => void sent.push(text),
    ping: () => {},
    close: () => {},
    terminate: () => {},
    on: (event: string, listener: Parameters<typeof emitter.on>[1]) => emitter.on(event, listener),
  }
  const signals = { readFilter: async () => ({}), subscribe: () => ({ close: () => {} }), watchCredential }
  createConnection(
    { clock: () => new Date(), settings, handlers, signals, countWork: () => {}, ...NAMES, onError: () => {} },
    { ...newcomer, socket: 'messages', wire },
  )
  return {
    end: () => emitter.emit('close', 1000),
    async ask(frame: object) {
      const before = sent.length
      emitter.emit('message', Buffer.from(JSON.stringify({ v: 1, ...frame })), false)
      while (sent.length === before) await new Promise(setImmediate)
      return JSON.parse(sent.at(-1) ?? '')
    },
  }
}

describe('a frame that a module handles', () => {
  it('is checked by its schema, handled, and answered', async () => {
    const handlers = createFrameHandlers()
    handlers.handle({
      socket: 'messages',
      type: 'chat',
      action: 'send',
      data: z.object({ message: z.string() }),
      handle: async ({ message }, { caller: { account } }) => ({
        type: 'chat',
        action: 'sent',
        data: { message, from: account.id },
      }),
    })
    const { ask } = openWith(handlers)
    expect(await ask({ type: 'chat', action: 'send', data: { message: 'Hello' } })).toEqual({
      v: 1,
      type: 'chat',
      action: 'sent',
      data: { message: 'Hello', from: 'ada' },
    })
    expect(await ask({ type: 'chat', action: 'send', data: { message: 1 } })).toMatchObject({
      error: { code: 'validation_failed' },
    })
    expect(await ask({ type: 'chat', action: 'read', data: {} })).toMatchObject({ error: { code: 'unsupported' } })
  })

  it('has one handler', () => {
    const handlers = createFrameHandlers()
    const handler = {
      socket: 'messages',
      type: 'chat',
      action: 'send',
      data: z.object({}),
      handle: async () => undefined,
    } as const
    handlers.handle(handler)
    expect(() => handlers.handle(handler)).toThrow('Two modules handle the frame messages chat send')
  })

  it('calls the module when a connection opens and when it closes', () => {
    const handlers = createFrameHandlers()
    const seen: string[] = []
    handlers.onOpen('messages', ({ caller: { account } }) => {
      seen.push(`${account.id} came`)
      return () => seen.push(`${account.id} left`)
    })
    handlers.onOpen('pulse', () => void seen.push('not this one'))
    openWith(handlers).end()
    expect(seen).toEqual(['ada came', 'ada left'])
  })
})

/** A connection with one subscription, whose client reads only on request. */
async function openStuck() {
  const emitter = new EventEmitter()
  const closed: (readonly [number, string])[] = []
  const sent: string[] = []
  let flush: (() => void) | undefined
  const wire: ClientSocket & { bufferedAmount: number } = {
    bufferedAmount: 0,
    send(text, done) {
      sent.push(text)
      if (done) flush = () => done()
    },
    ping: () => {},
    close: (code, reason) => void closed.push([code, reason]),
    terminate: () => {},
    on: (event: string, listener: Parameters<typeof emitter.on>[1]) => emitter.on(event, listener),
  }
  let subscription: Parameters<SignalService['subscribe']>[0] | undefined
  createConnection(
    {
      clock: () => new Date(),
      settings,
      handlers: createFrameHandlers(),
      signals: {
        watchCredential,
        readFilter: async () => ({}),
        subscribe(options) {
          subscription = options
          return { close: () => {} }
        },
      },
      countWork: () => {},
      ...NAMES,
      onError: (error) => {
        throw error
      },
    },
    { ...newcomer, wire },
  )
  const frame = { v: 1, type: 'system', action: 'subscribe', data: { source_did: DID } }
  emitter.emit('message', Buffer.from(JSON.stringify(frame)), false)
  while (!subscription) await new Promise(setImmediate)
  const ask = (action: string) => {
    emitter.emit('message', Buffer.from(JSON.stringify({ v: 1, type: 'system', action })), false)
    return new Promise(setImmediate)
  }
  return { wire, sent, closed, subscription, ask, ping: () => emitter.emit('ping'), flush: () => flush?.() }
}

describe('a client that reads slowly', () => {
  it('gets the next event once the last one has left', async () => {
    const { wire, subscription, flush } = await openStuck()
    expect(subscription.onEvent(eventOf('1a'))).toBeUndefined()
    wire.bufferedAmount = 1_048_576
    let isBusy = true
    const waiting = Promise.resolve(subscription.onEvent(eventOf('1b'))).then(() => {
      isBusy = false
    })
    await new Promise(setImmediate)
    expect(isBusy).toBe(true)
    flush()
    await waiting
    expect(isBusy).toBe(false)
  })

  it('is closed with 4000 when it sends a ping while too much waits for it, because the answer would wait too', async () => {
    const { wire, closed, ping } = await openStuck()
    wire.bufferedAmount = 1_048_576
    ping()
    expect(closed).toEqual([])
    wire.bufferedAmount += 1
    ping()
    expect(closed).toEqual([[4000, 'slow_consumer']])
  })

  it('is closed with 4000 when too much waits for it, and gets nothing more', async () => {
    const { sent, closed, subscription } = await openStuck()
    subscription.onEnd('slow')
    const before = sent.length
    void subscription.onEvent(eventOf('1a'))
    subscription.onEnd('failed')
    expect(closed).toEqual([[4000, 'slow_consumer']])
    expect(sent).toHaveLength(before)
  })

  it('is closed with 4000 when it sends more requests without reading the answers', async () => {
    const { wire, sent, closed, ask } = await openStuck()
    wire.bufferedAmount = 1_048_576
    await ask('ping')
    expect(closed).toEqual([])
    wire.bufferedAmount += 1
    const before = sent.length
    await ask('ping')
    await ask('ping')
    expect(closed).toEqual([[4000, 'slow_consumer']])
    expect(sent).toHaveLength(before)
  })
})
