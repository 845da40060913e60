import { createClient, EepApiError, signedAgent, verifyWebhook, WebhookVerificationError } from '@eep/client'
import { Hono } from 'hono'

// #region create
/** Returns a page as Markdown; undefined when it costs money. */
export async function readPage(service: string, path: string): Promise<string | undefined> {
  const client = createClient({ baseUrl: service })
  try {
    return await client.content.read(path)
  } catch (error) {
    if (error instanceof EepApiError && error.status === 402) return undefined
    throw error
  }
}
// #endregion

// #region follow
/** Calls a function with the title of each page that a profile publishes, until the signal aborts. */
export async function followPages(
  service: string,
  source: string,
  onPage: (title: string) => void,
  signal: AbortSignal,
) {
  const client = createClient({ baseUrl: service })
  for await (const event of client.signals.follow({ types: ['content.published'], sources: [source], signal })) {
    if ('source' in event) onPage(String(event.data.title))
  }
}
// #endregion

// #region webhook
export function receiver(secret: string, onEvent: (event: object) => void): Hono {
  const app = new Hono()
  // The intent check: repeat the challenge.
  app.get('/hook', (context) => context.text(context.req.query('hub.challenge') ?? ''))
  app.post('/hook', async (context) => {
    try {
      const { events } = await verifyWebhook(context.req.raw, { secret })
      for (const event of events) onEvent(event)
      return context.body(null, 204)
    } catch (error) {
      if (error instanceof WebhookVerificationError) return context.text(error.message, 400)
      throw error
    }
  })
  return app
}
// #endregion

// #region agent
/** Reads pages in turn, as an agent that proves its DID. */
export async function readAs(
  did: string,
  privateKey: Parameters<typeof signedAgent>[0]['privateKey'],
  service: string,
  paths: readonly string[],
) {
  const client = createClient({ baseUrl: service, auth: signedAgent({ did, privateKey }) })
  const texts: string[] = []
  for (const path of paths) texts.push(await client.content.read(path))
  return texts
}
// #endregion
