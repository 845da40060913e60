import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { openInstances } from '../support/instances.ts'
import { addressOf, openSocket } from '../support/sockets.ts'

const failures: unknown[] = []
const logger = { info: () => {}, warn: () => {}, error: (...facts: unknown[]) => void failures.push(facts) }
const { instance } = await openInstances({ logger })
const app = await instance({ sockets: { framesPerSecond: 10_000 }, limits: { rateLimit: { multiplier: 100_000 } } })

/** Frames that are almost right, and texts that are not. */
const frames = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.json({ maxDepth: 4 }),
  fc
    .record(
      {
        v: fc.constantFrom<unknown>(1, '1', null, 1.5),
        type: fc.constantFrom<unknown>('system', 'entity', 'chat', 'commerce', 'a2a', '__proto__', 7),
        action: fc.constantFrom<unknown>(
          ...['subscribe', 'unsubscribe', 'replay', 'gap_detected', 'auth_refresh', 'ping', 'offer', 'accept'],
          ...['constructor', '', 'x'.repeat(65), 3],
        ),
        seq: fc.oneof(fc.integer(), fc.double(), fc.constant('1')),
        data: fc.oneof(
          fc.anything({ maxDepth: 3, withNullPrototype: false }),
          fc.record(
            {
              source_did: fc.oneof(fc.constantFrom('did:web:profiles.example', 'did:web:'), fc.string()),
              types: fc.oneof(fc.array(fc.string(), { maxLength: 60 }), fc.string()),
              last_event_id: fc.string({ minLength: 1, maxLength: 140 }),
              from_seq: fc.oneof(fc.integer(), fc.constant(2 ** 53)),
              expected_seq: fc.integer(),
              token: fc.string({ maxLength: 300 }),
              negotiation_id: fc.string({ maxLength: 70 }),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    )
    .map((frame) => JSON.stringify(frame, (_key, value) => (typeof value === 'bigint' ? String(value) : value))),
)

/** How often ten or more frames are sent to each socket. CI does so four times as often: 10,000 frames. */
const RUNS = Math.ceil(125 * Number(process.env.RANDOM_THOUSANDS ?? 0.25))

/** Waits until nothing is left of the connections of an account. */
async function requireNothingLeft(accountId: string): Promise<void> {
  expect(failures).toEqual([])
  while (app.eep.sockets.presence(accountId).length > 0) await sleep(10)
  expect(app.eep.sockets.stats()).toMatchObject({ connections: { pulse: 0, messages: 0 }, subscriptions: 0 })
  expect(app.eep.signals.stats().subscriptions).toBe(0)
}

describe.each(['/eep/pulse', '/ws/messages'])('malformed frames to %s', (path) => {
  it('answers malformed frames with errors, never with a failure of the service', async () => {
    const { headers, account } = await signUp(app)
    let client = await openSocket(app, path, { headers })
    await fc.assert(
      fc.asyncProperty(fc.array(frames, { minLength: 10, maxLength: 20 }), async (texts) => {
        for (const text of texts) client.sendText(text)
        client.sendText('{"v":1,"type":"system","action":"ping","data":{}}')
        try {
          await client.next('pong')
        } catch {
          // A frame may end the connection, with a code of EEP and not with a failure.
          const { code } = await client.closed()
          expect([4002, 4009]).toContain(code)
          client = await openSocket(app, path, { headers })
        }
        const codes = client.frames.splice(0).flatMap(({ error }) => error?.code ?? [])
        expect(codes).not.toContain('internal_error')
      }),
      { numRuns: RUNS },
    )
    await client.close()
    await requireNothingLeft(account.id)
  }, 600_000)

  it('closes the connection for bytes that are not WebSocket frames, and frees its resources', async () => {
    const { headers, account } = await signUp(app)
    const [host = '', port] = (await addressOf(app)).split(':')
    const upgrade = {
      ...headers,
      host,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    }
    const head = Object.entries(upgrade).map(([name, value]) => `${name}: ${value}\r\n`)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const socket = connect(Number(port), host)
        socket.on('error', () => {})
        const closed = once(socket, 'close')
        socket.write(`GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
        const [answer] = await once(socket, 'data')
        expect(String(answer)).toContain('101 Switching Protocols')
        socket.resume()
        socket.end(bytes)
        await closed
      }),
      { numRuns: Math.ceil(RUNS / 5) },
    )
    await requireNothingLeft(account.id)
  }, 600_000)
})
