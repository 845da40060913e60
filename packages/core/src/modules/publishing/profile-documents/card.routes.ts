import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { addAtEachPrefix } from '../../../http/documents/profile-addresses.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { cardPng } from '../../../http/html/icon.ts'
import { DEFAULT_APPEARANCE } from '../../../http/html/style.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { memoized } from '../../../kernel/memoized.ts'
import type { Caller } from '../../../model/caller.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { isPublicFile } from '../../../model/public-file.ts'
import { fileIdOf } from '../../../model/resource-addresses.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { CardRenderer } from '../../../ports/card-renderer.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import {
  cardTexts,
  cardVersion,
  type ProfileService,
  profileDeleted,
  profileMoved,
  profileNotFound,
  usernameParams,
} from '../../profiles/profiles/index.ts'
import type { FilesApi } from '../files/index.ts'

const PNG = 'image/png'
const FOR_A_YEAR = 'public, max-age=31536000, immutable'
const FOR_A_MINUTE = 'public, max-age=60'
const MAX_PORTRAIT_BYTES = 10_485_760

/** The image must not load or run anything in any context. */
const HARMLESS = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' }

export interface CardServices {
  readonly profiles: ProfileService
  /** Undefined in services without files. */
  readonly files?: FilesApi | undefined
  /** Undefined when the host configures none. */
  readonly cards?: CardRenderer | undefined
}

/** Reads the portrait of a profile, if it is a file of the profile that everyone may read. */
async function readPortrait(
  { id: profileId, avatarUrl }: Profile,
  gates: GateConfig | undefined,
  caller: Caller | undefined,
  { files, profiles }: CardServices,
): Promise<Uint8Array | undefined> {
  const id = avatarUrl === null ? undefined : fileIdOf(avatarUrl, profiles.publicUrl)
  if (id === undefined || !files?.isEnabled || !isPublicFile(gates, id)) return undefined
  const { file } = await files.find(id, caller, profiles.linkKeys.keyOf('file', profileId, id))
  const isReadable = file.contentType.startsWith('image/') && file.size <= MAX_PORTRAIT_BYTES
  if (file.profileId !== profileId || !isReadable) return undefined
  const { body } = await files.open(file)
  return buffer(body)
}

/** The pictures that other sites show beside links to profiles. Each version has an address, which clients keep. */
export function cardRoutes(app: EepRoutes, services: CardServices): void {
  const { profiles, cards } = services
  const ofService = memoized((accent: string) => cardPng({ ...DEFAULT_APPEARANCE.light, accent }))

  addAtEachPrefix('/card.png', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: routeConfig({
          family,
          auth: 'none',
          scope: 'read:profiles',
          tag: 'public reads',
          operationId: 'getProfileCard',
          summary: 'Get a picture with the name of a profile for previews of links, or that of the service',
          errors: [profileNotFound, profileDeleted, profileMoved],
          produces: [PNG],
        }),
        schema: {
          params: usernameParams,
          querystring: z.object({ v: z.string().max(64).optional() }),
          response: { 200: z.string(), 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const { caller, site } = request.eep
        const known = await profiles.byAddress.getDocument(type, request.params.username, caller)
        // What everyone sees, also for the team.
        const { profile } = known.shownWith(new Set())
        const version = cardVersion(profile, site)
        const portrait = () => readPortrait(profile, known.gates, caller, services)
        const owner = profile.ownerAccountId
        const drawn = await cards?.render(cardTexts(profile, site), { version, owner, portrait })
        const isLasting = drawn !== undefined && request.query.v === version && profile.visibility === 'public'
        const { accent } = (site.appearance ?? DEFAULT_APPEARANCE).light
        const ofVisibility = profile.visibility === 'public' ? FOR_A_MINUTE : CACHE_CONTROL[profile.visibility]
        return sendWithEtag(request, reply, {
          body: drawn ? Buffer.from(drawn) : ofService(accent),
          type: PNG,
          cacheControl: isLasting ? FOR_A_YEAR : ofVisibility,
          headers: { 'eep-entity-did': profiles.didOf(profile), ...robotsOf(profile.visibility), ...HARMLESS },
        })
      },
    )
  })
}
