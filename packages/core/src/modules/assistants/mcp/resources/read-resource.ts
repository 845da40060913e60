import type { McpExtra, McpObject } from '../../../../ports/mcp-toolkit.ts'
import { paymentHeaders } from '../payments/credential.ts'
import { unpaidResource } from '../payments/refusal.ts'
import { receiptMeta } from '../payments/terms.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, McpError } from '../protocol-error.ts'
import type { CallContext } from '../tools/call-tool.ts'
import { didOfPath, isReadable, resourceAddress } from '../tools/resource-address.ts'
import { isObject } from '../tools/schema.ts'
import type { InnerAnswer } from '../tools/tool.ts'
import { type FileBytes, type FileSize, hasNoText, MAX_BLOB_BYTES, readBytes } from './file-bytes.ts'

/** What a resource is read in. */
export interface ReadContext
  extends Pick<CallContext, 'send' | 'publicUrl' | 'era' | 'acceptsPayments' | 'refuseScope'> {
  /** Finds the size of a stored file, in bytes, without a check of the reader. */
  readonly fileSize: FileSize
  /** Whether the caller is anonymous. */
  readonly isStranger: boolean
}

/** How long a public document may be kept. */
const PUBLIC_TTL_MS = 60_000

export const unknownResource = (uri: string) => new McpError(INVALID_PARAMS, 'The resource does not exist', { uri })

function errorOf({ text, status }: InnerAnswer): McpObject {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body) && isObject(body.error)) return body.error
  } catch {
    // No JSON.
  }
  return { code: 'refused', message: `The service answered with status ${status}` }
}

/** @throws McpError: a resource that is hidden from the caller does not exist */
function refuse(answer: InnerAnswer, uri: string, { refuseScope }: Pick<ReadContext, 'refuseScope'>): never {
  const { status, headers } = answer
  if (status === 404 || status === 410 || status === 401) throw unknownResource(uri)
  const seconds = headers['retry-after']
  const error = errorOf(answer)
  if (error.code === 'insufficient_scope') refuseScope(error.details)
  if (status === 500) throw new McpError(INTERNAL_ERROR, 'Internal error')
  const retry = typeof seconds === 'string' ? { retry_after: Number(seconds) } : {}
  throw new McpError(INTERNAL_ERROR, String(error.message), { error: { ...error, ...retry } })
}

/**
 * Reads a resource: as Markdown, or the bytes of an image and of a file without a text.
 *
 * @throws McpError for resources that do not exist for the caller, and where the terms of a payment are an error
 */
export async function readResource(uri: string, extra: McpExtra, context: ReadContext): Promise<McpObject> {
  const { send, publicUrl, acceptsPayments, isStranger, era, fileSize } = context
  const address = resourceAddress(uri, publicUrl)
  if (!address || !isReadable(address)) throw unknownResource(uri)
  const payment = acceptsPayments ? paymentHeaders(extra.meta) : {}
  const path = address.kind === 'file' ? `${address.path}/markdown` : address.path
  const text = await send({ method: 'GET', path, headers: { accept: 'text/markdown, text/plain;q=0.9', ...payment } })
  const bytes =
    address.kind === 'file' && hasNoText(text) ? await readBytes(address, { send, payment, fileSize }) : undefined
  const answer = bytes?.answer ?? text
  const url = `${publicUrl}${address.kind === 'file' ? address.path : answer.path}`
  if (answer.status === 402) return unpaidResource(answer, { era, capabilities: extra.capabilities, pageUrl: url })
  if (answer.status >= 300) refuse(answer, uri, context)
  const cacheControl = String(answer.headers['cache-control'] ?? '')
  const isPublic = isStranger && Object.keys(payment).length === 0 && /\bpublic\b/.test(cacheControl)
  const source = { url, ...('profile' in address && { author_did: didOfPath(publicUrl, address.profile) }) }
  return {
    contents: [
      {
        uri,
        ...contentOf(answer, bytes, { url, isPaid: Object.keys(payment).length > 0 }),
        _meta: { 'dev.eep/source': source },
      },
    ],
    ttlMs: isPublic ? PUBLIC_TTL_MS : 0,
    cacheScope: isPublic ? 'public' : 'private',
    _meta: receiptMeta(answer, publicUrl),
  }
}

/** The content of a resource in the form of MCP. */
function contentOf(
  answer: InnerAnswer,
  bytes: FileBytes | undefined,
  { url, isPaid }: { readonly url: string; readonly isPaid: boolean },
): McpObject {
  if (bytes?.is === 'too_large') {
    const unspent = isPaid ? ' The payment was not taken; it pays for the download.' : ''
    const text = `This file is larger than ${MAX_BLOB_BYTES} bytes. Download it: ${url}${unspent}`
    return { mimeType: 'text/plain', text }
  }
  const type = String(answer.headers['content-type'] ?? 'text/markdown').split(';')[0]
  return { mimeType: type, ...(bytes ? { blob: answer.bytes.toString('base64') } : { text: answer.text }) }
}
