import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'

export type Headers = Readonly<Record<string, string>>

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly ms: number
}

export interface Wanted {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Headers | undefined
  /** An object is sent as JSON. */
  readonly body?: object | Buffer | undefined
}

/** Longer than any answer of the service may take. */
const TIMEOUT_MS = 60_000

/** A client with kept-alive connections. */
export function createRequests() {
  let agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })

  /** @throws when there is no complete answer: the connection was refused or lost, or the request timed out */
  function request(base: string, { method = 'GET', path, headers = {}, body }: Wanted): Promise<Answer> {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const type = body !== undefined && !Buffer.isBuffer(body) ? { 'content-type': 'application/json' } : {}
    const begun = performance.now()
    return new Promise((resolve, reject) => {
      const sent = send(base + path, {
        method,
        agent,
        headers: { ...type, ...(bytes && { 'content-length': String(bytes.length) }), ...headers },
      })
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('timed out')))
      sent.on('error', reject)
      sent.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          if (!response.complete) return reject(new Error('the answer was cut off'))
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            ms: performance.now() - begun,
          })
        })
      })
      sent.end(bytes)
    })
  }

  return {
    request,
    /** Closes the connections that are not in use. */
    closeIdle() {
      agent.destroy()
      agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
    },
  }
}

export type Requests = ReturnType<typeof createRequests>

/** Parses the body of an answer. The caller names the type that the documentation of the route has. */
export const jsonOf = <Body>({ body }: Answer): Body => JSON.parse(body.toString('utf8')) as Body
