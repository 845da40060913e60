import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** Receives the events of subscriptions. `secret` returns the `delivery_secret` of the subscription. */
export const createReceiver = (secret: () => string, handle: (event: unknown) => Promise<void>) =>
  // #region receiver
  createServer(async (request, response) => {
    if (request.method === 'GET') {
      // The intent check: repeat the challenge.
      const { searchParams } = new URL(request.url ?? '/', 'http://receiver')
      return response.end(searchParams.get('hub.challenge'))
    }
    const body = await text(request)
    try {
      await handle(new Webhook(secret()).verify(body, request.headers as Record<string, string>))
      return response.writeHead(204).end()
    } catch {
      return response.writeHead(400).end()
    }
  })
// #endregion
