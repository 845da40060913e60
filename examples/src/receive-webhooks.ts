import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** Receives the events of subscriptions. `secret` returns the `delivery_secret` of the subscription. */
export function createReceiver(secret: () => string, handle: (event: unknown) => Promise<void>) {
  // #region receiver
  async function receive(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'GET') {
      // The intent check: repeat the challenge.
      const { searchParams } = new URL(request.url ?? '/', 'http://receiver')
      return response.end(searchParams.get('hub.challenge'))
    }
    const body = await text(request)
    await handle(new Webhook(secret()).verify(body, request.headers as Record<string, string>))
    return response.writeHead(204).end()
  }
  return createServer((request, response) => {
    receive(request, response).catch(() => response.writeHead(400).end())
  })
  // #endregion
}
