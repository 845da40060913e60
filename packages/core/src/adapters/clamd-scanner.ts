import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Scanner } from '../ports/scanner.ts'

/** Options of {@link clamdScanner}. */
export interface ClamdScannerOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined
  /** Default: 3310. */
  readonly port?: number | undefined
  /** The path of a Unix socket. Use it instead of `host` and `port`. */
  readonly socketPath?: string | undefined
  /** How long the connection may be idle. Default: two minutes. */
  readonly timeoutMs?: number | undefined
}

const TIMEOUT_MS = 120_000
const MAX_ANSWER = 4_096

/**
 * Scans files with clamd, the daemon of ClamAV, over one connection per file (`INSTREAM`).
 *
 * A response other than `OK` or `FOUND`, a timeout, and a file larger than the `StreamMaxLength` of clamd are thrown as errors. The
 * connection is not encrypted, so run clamd on the same machine or a private network.
 *
 * @throws TypeError when both a socket and a host or port are given
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * const scanner = clamdScanner({ host: 'clamd' })
 * await app.register(eep, { ...options, modules: [files({ blobStore, scanner })] })
 */
export function clamdScanner({ host, port, socketPath, timeoutMs = TIMEOUT_MS }: ClamdScannerOptions = {}): Scanner {
  if (socketPath !== undefined && (host !== undefined || port !== undefined)) {
    throw new TypeError('clamdScanner requires either socketPath or host and port')
  }
  const target = socketPath === undefined ? { host: host ?? '127.0.0.1', port: port ?? 3_310 } : { path: socketPath }

  return {
    async scan(body, { signal }) {
      signal.throwIfAborted()
      const socket = connect(target)
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`clamd did not respond within ${timeoutMs} ms`)))
      const abort = () => socket.destroy(new Error('The scan was aborted', { cause: signal.reason }))
      signal.addEventListener('abort', abort, { once: true })
      const answer = answerOf(socket)
      // Prefer clamd's reply over the socket error; it explains the failure.
      pipeline(body, framed, socket, { end: false }).catch(() => socket.destroy())
      try {
        return verdictOf(await answer)
      } finally {
        signal.removeEventListener('abort', abort)
        socket.destroy()
        body.destroy()
      }
    },
  }
}

async function* framed(body: Readable) {
  yield Buffer.from('zINSTREAM\0')
  for await (const chunk of body as AsyncIterable<Buffer>) {
    // A frame of no bytes ends the stream.
    if (chunk.length === 0) continue
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    yield length
    yield chunk
  }
  yield Buffer.alloc(4)
}

function answerOf(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (part: string) => {
    text += part
    const end = text.indexOf('\0')
    if (end >= 0) resolve(text.slice(0, end))
    else if (text.length > MAX_ANSWER) socket.destroy(new Error('The response of clamd is too long'))
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('clamd closed the connection without a response')))
  return promise
}

function verdictOf(answer: string) {
  if (answer === 'stream: OK') return { verdict: 'clean' } as const
  const signature = /^stream: (.+) FOUND$/.exec(answer)?.[1]
  if (signature !== undefined) return { verdict: 'infected', signature } as const
  throw new Error(`clamd responded with ${JSON.stringify(answer.slice(0, 200))}`)
}
