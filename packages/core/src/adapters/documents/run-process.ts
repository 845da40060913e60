import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { lazy } from '../../kernel/lazy.ts'
import { type DocumentText, documentTooLarge } from '../../ports/document-converter.ts'
import type { DocumentAnswer, DocumentOrder } from './document-process.ts'
import type { RefusalReason } from './refusal.ts'
import { MAX_MARKDOWN_BYTES } from './text.ts'

export interface Refused {
  readonly refused: RefusalReason
  readonly message: string
}

const FILE = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './document-process.ts' : './document-process.js', import.meta.url),
)
const MAX_ANSWER = MAX_MARKDOWN_BYTES + 1_048_576
const MAX_COMPLAINT = 4_096
/** The process ends itself at its limits. After this additional time it is killed. */
const GRACE_MS = 2_000
/** The share of the JavaScript heap in the memory of the process; the rest is for buffers. */
const HEAP_SHARE = 0.7

const TOO_COMPLEX: Refused = { refused: 'too_complex', message: 'Reading the document takes too much time or memory' }

/**
 * The flags of a process that may read its own code and libraries, and nothing else: it cannot write files, start processes or
 * load native addons. The worker is the watchdog of `document-process.ts`; workers have the same permissions.
 *
 * @internal
 */
export function permissionFlags(): readonly string[] {
  const readable = [packageRoot()]
  for (let folder = packageRoot(); folder !== dirname(folder); folder = dirname(folder)) {
    const libraries = join(folder, 'node_modules')
    if (basename(folder) !== 'node_modules' && existsSync(libraries)) readable.push(libraries)
    if (basename(folder) === 'node_modules') readable.push(folder)
  }
  return [
    '--permission',
    ...readable.map((folder) => `--allow-fs-read=${join(folder, '*')}`),
    '--allow-worker',
    '--disable-warning=SecurityWarning',
  ]
}

/** The folder of the nearest `package.json`. It contains all our modules that the process imports. */
function packageRoot(): string {
  let folder = dirname(FILE)
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}

const flags = lazy(permissionFlags)

/** Limits the bytes that are passed through, regardless of the announced size. */
function atMost(maxBytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(documentTooLarge({ details: { max_bytes: maxBytes } }))
      else done(null, chunk)
    },
  })
}

/** Sends a document to a separate process and receives the result. */
export async function runProcess(
  order: DocumentOrder,
  body: Readable,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<DocumentText | Refused> {
  // The process must not get our environment variables.
  const child = spawn(
    process.execPath,
    [...flags(), `--max-old-space-size=${Math.ceil(order.maxMemoryMb * HEAP_SHARE)}`, FILE, JSON.stringify(order)],
    { env: {}, stdio: 'pipe' },
  )
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, order.timeoutMs + GRACE_MS)
  signal.addEventListener('abort', kill, { once: true })

  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_ANSWER) kill()
    else chunks.push(chunk)
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < MAX_COMPLAINT) complaint += chunk.toString('utf8')
  })
  const ended = new Promise<{ code: number | null; fault?: Error }>((resolve) => {
    child.once('error', (fault) => resolve({ code: null, fault }))
    child.once('close', (code) => resolve({ code }))
  })
  let failure: unknown
  const given = pipeline(body, atMost(maxBytes), child.stdin).catch((error: unknown) => {
    // A process may end before it has read everything; its output and its exit code decide.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE' || code === 'ECONNRESET') return
    failure = error
    kill()
  })

  try {
    const { code, fault } = await ended
    signal.throwIfAborted()
    // The process has ended, so it needs no further input.
    child.stdin.destroy()
    await given
    if (fault) throw fault
    if (code === 0) return readAnswer(Buffer.concat(chunks))
    if (failure !== undefined && !isGone(failure)) throw failure
    if (code === null || code === ABORTED) return TOO_COMPLEX
    throw new Error(`The document reader ended with ${code}: ${complaint.slice(0, MAX_COMPLAINT)}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}

/** The exit code of an engine that ran out of memory, on systems without signals. */
const ABORTED = 134

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

function readAnswer(bytes: Buffer): DocumentText | Refused {
  const end = bytes.indexOf('\n')
  const head = JSON.parse(bytes.toString('utf8', 0, end)) as DocumentAnswer
  return 'refused' in head ? head : { markdown: bytes.toString('utf8', end + 1), warnings: head.warnings }
}
