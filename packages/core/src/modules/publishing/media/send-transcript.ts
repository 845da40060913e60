import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { varyOfReader } from '../../../http/documents/public-document.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { DESTINATION_VARY } from '../../../http/embedding.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import { type Paywall, requireAccess } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { type FoundFile, gatedFile } from '../files/index.ts'
import { markdownOf, webVttOf } from './captions.ts'
import { serializeTranscript } from './schemas.ts'
import type { MediaService } from './service.ts'

export interface SendTranscriptServices {
  readonly media: MediaService
  readonly paywall: Paywall
  readonly profiles: ProfileService
}

export const TRANSCRIPT_TYPES = ['application/json', 'text/markdown', 'text/vtt']

/** Sends the transcript of a file in the preferred format, after the gate of the file has granted access. */
export async function sendTranscript(
  request: FastifyRequest,
  reply: FastifyReply,
  { media, paywall, profiles }: SendTranscriptServices,
  found: FoundFile,
): Promise<FastifyReply> {
  const { file, profile } = found
  // Before the gate: a missing transcript must not be sold.
  const transcript = await media.transcriptOf(found)
  const { caller } = request.eep
  const resource = gatedFile(found, await profiles.roleOf(profile, caller), paywall)
  const access = await requireAccess(request, reply, paywall, resource)
  if (access.is !== 'granted') return reply.send(access.refusal)
  const { restricted, paid } = access
  const { accept, authorization, cookie } = request.headers
  const [type = 'application/json'] = new Negotiator({ headers: { accept } }).mediaTypes(TRANSCRIPT_TYPES)
  const personal = restricted || caller !== undefined || Boolean(authorization ?? cookie)
  if (paid) delete request.headers['if-none-match']
  const body =
    type === 'text/vtt'
      ? await webVttOf(transcript)
      : type === 'text/markdown'
        ? await markdownOf(file.filename, transcript)
        : serializeTranscript(transcript)
  return sendWithEtag(request, reply, {
    body,
    conditional: !paid,
    type: `${type}; charset=utf-8`,
    cacheControl: personal ? 'private, no-cache' : CACHE_CONTROL[profile.visibility],
    headers: {
      vary: `${personal ? 'Accept, Authorization, Cookie, X-API-Key, X-EEP-Payer-Wallet' : 'Accept'}, ${DESTINATION_VARY}${varyOfReader(request)}`,
      ...robotsOf(profile.visibility),
    },
  })
}
