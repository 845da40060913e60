import type { FastifyReply, FastifyRequest } from 'fastify'
import { varyOfReader } from '../../../http/documents/public-document.ts'
import { DESTINATION_VARY } from '../../../http/embedding.ts'
import { reportRead } from '../../../http/pipeline/count-visits.ts'
import type { ImageSize } from '../../../model/image-widths.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import { type BlobContent, rangeNotSatisfiable } from '../../../ports/blob-store.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import {
  type AskedResource,
  NO_CREDENTIALS,
  type Paywall,
  presentsPayment,
  requireAccess,
} from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { bytesWanted } from './byte-range.ts'
import { isScriptable, isShown, servedTypeOf } from './content-type.ts'
import { fileChanged } from './errors.ts'
import { etagOf } from './file-etag.ts'
import { gatedFile } from './gated-file.ts'
import { PICTURE_TYPE } from './picture-sizes.ts'
import { preconditionOf } from './preconditions.ts'
import type { FileService, FoundFile } from './service.ts'

export interface SendFileServices {
  readonly files: FileService
  readonly paywall: Paywall
  readonly profiles: ProfileService
}

// Untrusted files must not run or load anything when they are opened.
const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"
const STRICT_POLICY = "default-src 'none'; sandbox"
// The viewers of browsers do not open a PDF in a sandbox; it cannot reach the page there either.
const VIEWER_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; plugin-types application/pdf"

const policyOf = (contentType: string) => {
  if (isScriptable(contentType) || !isShown(contentType)) return STRICT_POLICY
  return contentType === 'application/pdf' ? VIEWER_POLICY : POLICY
}

const restrictedFor = (request: FastifyRequest) => ({
  'cache-control': 'private, no-cache',
  vary: `Authorization, Cookie, X-API-Key, X-EEP-Payer-Wallet, ${DESTINATION_VARY}${varyOfReader(request)}`,
})

/** Headers that describe the file, not the error that is sent in its place. */
const OF_THE_FILE = ['etag', 'last-modified', 'content-disposition', 'content-security-policy', 'accept-ranges']

const headersOf = (filename: string, contentType: string, { contentDisposition }: FileToolkit) => ({
  'content-type': contentType,
  'content-disposition': contentDisposition(filename, isShown(contentType) ? 'inline' : 'attachment'),
  'content-security-policy': policyOf(contentType),
  'x-content-type-options': 'nosniff',
})

/** Whether a gated file is the cover of a public page: its owner chose it as what everyone sees of the page. */
async function isOpenCover(
  { file }: FoundFile,
  { name, profile }: Pick<AskedResource, 'name' | 'profile'>,
  { files, paywall }: Pick<SendFileServices, 'files' | 'paywall'>,
): Promise<boolean> {
  if (!file.contentType.startsWith('image/')) return false
  // When the gate cannot be read, it refuses the request below.
  const isGated = await paywall.openTo(profile, [name], NO_CREDENTIALS).then(
    (open) => !open.has(name),
    () => false,
  )
  return isGated && files.isCover(file)
}

/**
 * Sends a file or a range of it, after its gate has granted access (RFC 9110, 13 and 14).
 *
 * @param size - sends an image in this size, if it is stored in it and was not just paid for. Default: its own
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { files, paywall, profiles }: SendFileServices,
  found: FoundFile,
  size?: ImageSize,
): Promise<FastifyReply> {
  const { file, profile } = found
  let picture: BlobContent | undefined
  // With a payment in the request, the blob is opened first, so that no money is taken for missing bytes.
  const early = presentsPayment(request) && request.method === 'GET' ? await files.open(file) : undefined
  // The blob store may fail while the payment is settled. Fastify reports the error when the body is sent.
  early?.body.on('error', () => {})
  try {
    const role = await profiles.roleOf(profile, request.eep.caller)
    const resource = gatedFile(found, role, paywall)
    const access = (await isOpenCover(found, resource, { files, paywall }))
      ? await paywall.openWithoutGate(resource, request.eep.caller)
      : await requireAccess(request, reply, paywall, resource)
    if (access.is !== 'granted') throw access.refusal
    reportRead(request, profile, resource, 'file')
    const { restricted } = access
    const paid = 'paid' in access && access.paid
    const { authorization, cookie } = request.headers
    const personal = restricted || request.eep.caller !== undefined || Boolean(authorization ?? cookie)
    picture = paid || size === undefined ? undefined : await files.openSize(file, size)
    const lastModified = file.replacedAt ?? file.createdAt
    const validators = { etag: etagOf(file, picture && size), lastModified }
    reply.headers({
      'cache-control': CACHE_CONTROL[profile.visibility],
      vary: DESTINATION_VARY,
      ...(personal && restrictedFor(request)),
      ...robotsOf(profile.visibility),
      'accept-ranges': picture ? 'none' : 'bytes',
      'last-modified': lastModified.toUTCString(),
      etag: validators.etag,
    })
    // A response that was just paid for is sent completely, without conditions.
    const precondition = paid ? 'holds' : preconditionOf(request.headers, validators)
    if (precondition === 'failed') throw fileChanged()
    if (precondition === 'unchanged') {
      early?.body.destroy()
      picture?.body.destroy()
      return reply.code(304).send()
    }
    if (picture)
      return sendPicture(
        request,
        reply.headers(headersOf(`${file.filename}.webp`, PICTURE_TYPE, files.toolkit)),
        picture,
      )
    reply.headers(headersOf(file.filename, servedTypeOf(file.contentType), files.toolkit))

    const { range, 'if-range': ifRange } = request.headers
    const wantsRange = request.method === 'GET' && !paid
    const wanted = wantsRange
      ? bytesWanted({ range, ifRange: ifRange as string | undefined }, file.size, validators)
      : 'whole'
    if (wanted === 'none') {
      throw rangeNotSatisfiable({ details: { size: file.size }, size: file.size })
    }
    if (request.method === 'HEAD') return reply.header('content-length', file.size).send()
    if (early && wanted === 'whole') return sendBytes(reply, early)
    early?.body.destroy()
    if (wanted === 'whole') return sendBytes(reply, await files.open(file))
    const { start, end } = wanted
    const content = await files.open(file, { start, end })
    return sendBytes(reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`), content)
  } catch (error) {
    early?.body.destroy()
    picture?.body.destroy()
    for (const name of OF_THE_FILE) reply.removeHeader(name)
    throw error
  }
}

function sendPicture({ method }: FastifyRequest, reply: FastifyReply, picture: BlobContent): FastifyReply {
  if (method !== 'HEAD') return sendBytes(reply, picture)
  picture.body.destroy()
  return reply.header('content-length', picture.length).send()
}

const sendBytes = (reply: FastifyReply, { body, length }: BlobContent) =>
  reply.header('content-length', length).send(body)
