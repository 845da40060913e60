import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { serve } from './server-process.ts'

/** Where clients of streams are controlled. */
export interface StreamClients {
  readonly url: string
}

/** The times of the events that all clients together have got since the last GET of `/reset`, as a GET of `/times` returns them. */
export interface Got {
  readonly times: readonly number[]
  /** The last frame with an event. */
  readonly frame: string
}

const now = () => Number(process.hrtime.bigint()) / 1_000_000
const MARK = '\nevent: '
const AT_ONCE = 100

/** Clients that do nothing but count the events of their streams. A GET of `/open?url=&count=` connects more of them. */
await serve<object, StreamClients>(async () => {
  let times: number[] = []
  let frame = ''
  let wanted = 0
  let onWanted = () => {}

  async function open(url: URL): Promise<void> {
    const socket = connect(Number(url.port), url.hostname)
    socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`)
    socket.on('error', () => {})
    const [head] = (await once(socket, 'data')) as [Buffer]
    if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(head.toString('latin1'))
    let tail = ''
    socket.on('data', (chunk) => {
      const text = tail + chunk.toString('latin1')
      for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) {
        times.push(now())
        if (times.length === 1) frame = text
      }
      tail = text.slice(1 - MARK.length)
      if (times.length >= wanted) onWanted()
    })
  }

  async function answer(address: string): Promise<object> {
    const { pathname, searchParams } = new URL(address, 'http://clients')
    if (pathname === '/reset') times = []
    if (pathname === '/open') {
      const url = new URL(searchParams.get('url') ?? '')
      for (let left = Number(searchParams.get('count')); left > 0; left -= AT_ONCE) {
        await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => open(url)))
      }
    }
    if (pathname === '/times') {
      wanted = Number(searchParams.get('count'))
      if (times.length < wanted)
        await new Promise<void>((resolve) => {
          onWanted = resolve
        })
    }
    const got: Got = { times, frame }
    return pathname === '/times' ? got : {}
  }

  const server = createServer((request, response) => {
    answer(request.url ?? '/').then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})
