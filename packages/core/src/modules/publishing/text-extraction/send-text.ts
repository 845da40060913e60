import { encode } from '@toon-format/toon'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { formatOf, mediaTypeOf, withoutParameters } from '../../../http/documents/negotiation.ts'
import { varyOfReader } from '../../../http/documents/public-document.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { DESTINATION_VARY } from '../../../http/embedding.ts'
import { keepLanguage, queryOfPage } from '../../../http/html/chosen-language.ts'
import { writePage } from '../../../http/html/page.ts'
import { siteOfViewer } from '../../../http/html/viewer.ts'
import { reportRead } from '../../../http/pipeline/count-visits.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { DocumentText } from '../../../ports/document-converter.ts'
import { type Paywall, presentsPayment, requireAccess } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { type FoundFile, gatedFile, serializeEncoding } from '../files/index.ts'
import type { TextFormat } from './schemas.ts'
import type { TextExtractionService } from './service.ts'

export interface SendTextServices {
  readonly textExtraction: TextExtractionService
  readonly paywall: Paywall
  readonly profiles: ProfileService
}

const TYPES: Readonly<Record<string, TextFormat>> = {
  'text/markdown': 'markdown',
  'application/json': 'json',
  'text/plain': 'text',
  'text/html': 'html',
  'text/toon': 'toon',
}
export const TEXT_TYPES = Object.keys(TYPES)

function textFormatOf(request: FastifyRequest, to: TextFormat | undefined): TextFormat {
  const { accept } = request.headers
  if (to !== undefined) return to
  // By name only the formats of all documents are available.
  if ((request.query as { readonly format?: unknown }).format !== undefined) {
    return TYPES[mediaTypeOf(formatOf(request))] ?? 'markdown'
  }
  if (accept === undefined) return 'markdown'
  return (
    TYPES[new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaTypes(TEXT_TYPES)[0] ?? ''] ??
    'markdown'
  )
}

// Untrusted text must not run or load anything, however a browser interprets it.
const INERT = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' }

async function represent(
  request: FastifyRequest,
  reply: FastifyReply,
  { file }: FoundFile,
  { markdown, warnings }: DocumentText,
  format: TextFormat,
) {
  const { id, filename, contentType, sha256 } = file
  const encoding = serializeEncoding(file.encoding)
  const source = { file_id: id, filename, content_type: contentType, sha256 }
  switch (format) {
    case 'json':
      return {
        type: 'application/json',
        body: JSON.stringify({ markdown, warnings, encoding, source }),
        headers: INERT,
      }
    case 'toon':
      return { type: 'text/toon', body: encode({ markdown, warnings, encoding, source }), headers: INERT }
    case 'html': {
      const site = await siteOfViewer(request, reply)
      const address = {
        canonical: `${site.publicUrl}/files/${id}/markdown`,
        alternates: ALTERNATES,
        query: queryOfPage(request),
      }
      const { markup, headers } = await writePage({ title: filename, markdown, sections: true }, site, address)
      return { type: 'text/html', body: markup, headers }
    }
    default:
      return { type: format === 'text' ? 'text/plain' : 'text/markdown', body: markdown, headers: INERT }
  }
}

const ALTERNATES = [
  { name: 'Markdown', type: 'text/markdown', href: '?format=markdown' },
  { name: 'JSON', type: 'application/json', href: '?format=json' },
]

/** Sends the text of a file behind the gate of the file, in the form the client prefers. */
export async function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  { textExtraction, paywall, profiles }: SendTextServices,
  found: FoundFile,
  to: TextFormat | undefined,
): Promise<FastifyReply> {
  const { file, profile } = found
  textExtraction.assertReadable(file)
  const format = textFormatOf(request, to)
  const read = async (): Promise<DocumentText> => {
    const text = await textExtraction.textSoon(found)
    return format === 'text' ? { ...text, markdown: await textExtraction.plainTextOf(found, text.markdown) } : text
  }
  // No money is taken for a text that cannot be read, and nothing is read for a caller without access.
  const early = presentsPayment(request) && request.method === 'GET' ? await read() : undefined
  const role = await profiles.roleOf(profile, request.eep.caller)
  const resource = gatedFile(found, role, paywall)
  const access = await requireAccess(request, reply, paywall, resource)
  if (access.is !== 'granted') return reply.send(access.refusal)
  reportRead(request, profile, resource, format)
  const { restricted, paid } = access
  const text = early ?? (await read())

  const { authorization, cookie } = request.headers
  const personal = restricted || request.eep.caller !== undefined || Boolean(authorization ?? cookie)
  const { type, body, headers } = await represent(request, reply, found, text, format)
  const ofPage = format === 'html' ? ', Accept-Language' : ''
  if (ofPage) keepLanguage(request, reply)
  const vary = `${personal ? 'Accept, Authorization, Cookie, X-API-Key, X-EEP-Payer-Wallet' : `Accept${ofPage && ', Cookie'}`}${ofPage}, ${DESTINATION_VARY}${varyOfReader(request)}`
  if (ofPage && request.eep.site.viewer) {
    reply.headers({ ...headers, ...robotsOf(profile.visibility), vary, 'cache-control': 'private, no-store' })
    return reply.type(`${type}; charset=utf-8`).send(body)
  }
  return sendWithEtag(request, reply, {
    body,
    conditional: !paid,
    type: `${type}; charset=utf-8`,
    cacheControl: personal ? 'private, no-cache' : CACHE_CONTROL[profile.visibility],
    headers: {
      ...headers,
      vary,
      ...robotsOf(profile.visibility),
    },
  })
}
