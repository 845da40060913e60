import type { FastifyInstance, HTTPMethods, InjectOptions, LightMyRequestResponse } from 'fastify'

export type Headers = Readonly<Record<string, string>>
export type Response = LightMyRequestResponse

/** What a client needs of an application. */
export type Requests = Pick<FastifyInstance, 'inject'>

/** Sends requests to an application, through `inject`. */
export interface Client {
  get(url: string, headers?: Headers): Promise<Response>
  delete(url: string, headers?: Headers): Promise<Response>
  post(url: string, payload?: InjectOptions['payload'], headers?: Headers): Promise<Response>
  put(url: string, payload?: InjectOptions['payload'], headers?: Headers): Promise<Response>
  patch(url: string, payload?: InjectOptions['payload'], headers?: Headers): Promise<Response>
  /** Sends any method; a DELETE with a body, or a method from a table. */
  send(method: HTTPMethods, url: string, payload?: InjectOptions['payload'], headers?: Headers): Promise<Response>
  /** The same client, authenticated as a user. */
  as(user: { readonly headers: Headers }): Client
  /** The same client, with headers on each request. */
  with(headers: Headers): Client
}

/**
 * Creates a client of an application. Pass a function where the application is created later, by `beforeAll`.
 *
 * @example
 * const ada = await signUp(app)
 * await ada.post('/manage/pages', page)
 * await client(app).as(ada).with({ 'if-match': '"v1"' }).put(url, page)
 */
export function client(app: Requests | (() => Requests), common: Headers = {}): Client {
  const send: Client['send'] = (method, url, payload, headers) =>
    (typeof app === 'function' ? app() : app).inject({
      method,
      url,
      headers: { ...common, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
  return {
    get: (url, headers) => send('GET', url, undefined, headers),
    delete: (url, headers) => send('DELETE', url, undefined, headers),
    post: (url, payload, headers) => send('POST', url, payload, headers),
    put: (url, payload, headers) => send('PUT', url, payload, headers),
    patch: (url, payload, headers) => send('PATCH', url, payload, headers),
    send,
    as: ({ headers }) => client(app, { ...common, ...headers }),
    with: (headers) => client(app, { ...common, ...headers }),
  }
}
