import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { itemsOf } from './lists.ts'
import type { components, operations, paths } from './schema.ts'
import { type FollowOptions, follow, type Signal, type SignalReset } from './signals.ts'
import { type Authenticate, createTransport, errorOf, type RetryBudget } from './transport.ts'

type Schemas = components['schemas']

/** The formats of profiles and pages. */
export type ReadFormat = 'markdown' | 'json' | 'toon'

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** The URL of the service: `https://profiles.example`, or with the prefix of a gateway, `https://example.com/api`. */
  readonly baseUrl: string
  /** Identifies the caller. Default: requests are anonymous. */
  readonly auth?: Authenticate | undefined
  /** Sends requests. Default: the `fetch` of the environment. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** How often failed requests are repeated; false for never. */
  readonly retry?: RetryBudget | false | undefined
}

/** The query of a list, without its cursor. */
type QueryOf<Name extends keyof operations> = Omit<NonNullable<operations[Name]['parameters']['query']>, 'cursor'>

/** The part of a client that people write by hand; every route is reached with `GET`, `POST`, `PUT` and `DELETE`. */
export interface Shortcuts {
  readonly profiles: {
    /** Reads a profile: `u/ada`. */
    get(path: string): Promise<Schemas['Profile']>
  }
  readonly content: {
    /**
     * Reads a page or a profile, by its path or URL.
     *
     * @param options - `as`: the format. Default: `markdown`
     * @throws EepApiError, with status 402 for a page that has a price
     */
    read(url: string, options?: { readonly as?: ReadFormat; readonly signal?: AbortSignal }): Promise<string>
  }
  readonly pages: {
    /** The pages of a profile in any status, for its team. */
    list(query: QueryOf<'listPages'>): AsyncGenerator<Schemas['PageSummaryList']['data'][number], void, undefined>
  }
  readonly feed: {
    /** Creates a post as the acting profile. */
    post(body: operations['createPost']['requestBody']['content']['application/json']): Promise<Schemas['Post']>
  }
  readonly messages: {
    /** Sends a message to a conversation. */
    send(
      conversationId: string,
      body: operations['sendMessage']['requestBody']['content']['application/json'],
    ): Promise<Schemas['Message']>
  }
  readonly signals: {
    /**
     * Follows events, and continues after a disconnect.
     *
     * @example
     * for await (const signal of client.signals.follow({ types: ['content.*'], signal })) console.log(signal.type)
     */
    follow(options?: FollowOptions): AsyncGenerator<Signal | SignalReset, void, undefined>
  }
}

/** A client of a service: the methods of `openapi-fetch` with the types of the service, and shortcuts. Failed calls throw {@link EepApiError}. */
export type EepClient = FetchClient<paths> & Shortcuts

const ACCEPT: Readonly<Record<ReadFormat, string>> = {
  markdown: 'text/markdown',
  json: 'application/json',
  toon: 'text/toon',
}

/**
 * Creates a client of a service.
 *
 * A call that fails throws an {@link EepApiError}. After 429, 503 and a lost connection a request is repeated, by default up to 3 times within 30
 * seconds. A `POST` of an account has an `Idempotency-Key`, so that a repetition has no second effect; others are repeated after 429 only.
 *
 * @throws TypeError when `baseUrl` is not an http(s) URL
 * @see https://github.com/eep-service/eep/blob/main/docs/client/README.md
 * @example
 * const client = createClient({ baseUrl: 'https://profiles.example', auth: apiKey('eep_…') })
 * const text = await client.content.read('u/ada/content/engines')
 * const { data } = await client.GET('/search', { params: { query: { q: 'engines' } } })
 */
export function createClient({ baseUrl, auth = (request) => request, fetch, retry = {} }: ClientOptions): EepClient {
  const { protocol, origin, pathname } = new URL(baseUrl)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('baseUrl must begin with https:// or http://')
  const base = origin + pathname.replace(/\/+$/, '')
  // Called as a method of something else, the function of browsers throws.
  const send = fetch ?? ((request: Request) => globalThis.fetch(request))
  const transport = createTransport({ authenticate: auth, fetch: send, retry })
  const client = createFetchClient<paths>({ baseUrl: base, fetch: transport })
  client.use({
    async onResponse({ response }) {
      if (!response.ok && response.status !== 304) throw await errorOf(response)
      return undefined
    },
  })

  /** The URL of a path or a URL of this service. */
  function addressOf(path: string): string {
    const isUrl = /^https?:\/\//.test(path)
    const url = new URL(isUrl ? path : path.replace(/^(?!\/)/, '/'), `${base}/`)
    if (url.origin !== origin) throw new TypeError(`${url.origin} is not the service of this client, ${origin}`)
    return isUrl ? url.href : base + url.pathname + url.search
  }

  async function read(path: string, accept: string, signal?: AbortSignal): Promise<Response> {
    const response = await transport(new Request(addressOf(path), { headers: { accept }, ...(signal && { signal }) }))
    if (!response.ok) throw await errorOf(response)
    return response
  }

  /** The body of a successful response. Others have thrown. */
  const bodyOf = <Body>({ data }: { readonly data?: Body }): Body => data as Body

  const shortcuts: Shortcuts = {
    profiles: { get: async (path) => (await read(path, ACCEPT.json)).json() as Promise<Schemas['Profile']> },
    content: { read: async (url, { as = 'markdown', signal } = {}) => (await read(url, ACCEPT[as], signal)).text() },
    pages: {
      list: (query) =>
        itemsOf(async (cursor) =>
          bodyOf(await client.GET('/manage/pages', { params: { query: { ...query, ...(cursor && { cursor }) } } })),
        ),
    },
    feed: { post: async (body) => bodyOf(await client.POST('/feed', { body })) },
    messages: {
      send: async (id, body) =>
        bodyOf(await client.POST('/messages/conversations/{id}/messages', { params: { path: { id } }, body })),
    },
    signals: { follow: (options) => follow(async (request) => send(await auth(request)), base, options) },
  }
  return Object.assign(client, shortcuts)
}
