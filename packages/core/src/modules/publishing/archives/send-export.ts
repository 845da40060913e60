import type { FastifyReply, FastifyRequest } from 'fastify'
import { rangeNotSatisfiable } from '../../../ports/blob-store.ts'
import { bytesWanted } from '../files/index.ts'
import type { FinishedExport } from './service.ts'

/** Sends an export or a range of it, so that an interrupted download can continue (RFC 9110, 14). */
export async function sendExport(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  found: FinishedExport,
): Promise<FastifyReply> {
  const { size, sha256, finishedAt, filename, contentType } = found
  const validators = { etag: `"${sha256.slice(0, 32)}"`, lastModified: finishedAt }
  const isRanged = method === 'GET'
  const wanted = isRanged
    ? bytesWanted({ range: headers.range, ifRange: headers['if-range'] as string | undefined }, size, validators)
    : 'whole'
  if (wanted === 'none') {
    throw rangeNotSatisfiable({ details: { size }, size })
  }
  const range = wanted === 'whole' ? undefined : wanted
  const content = isRanged ? await found.open(range) : undefined
  reply
    .code(range ? 206 : 200)
    .type(contentType)
    .headers({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="${filename}"`,
      'content-length': content?.length ?? size,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      etag: validators.etag,
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
    })
  return reply.send(content?.body)
}
