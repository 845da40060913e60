import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { addAtEachPrefix } from '../../../http/documents/profile-addresses.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { cardPng } from '../../../http/html/icon.ts'
import { DEFAULT_APPEARANCE } from '../../../http/html/style.ts'
import type { Site } from '../../../http/html/view.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { memoized } from '../../../kernel/memoized.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { resourceName } from '../../../model/resource-name.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { CardRenderer } from '../../../ports/card-renderer.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Paywall } from '../../access/paywall/index.ts'
import {
  cardPortraitId,
  cardTexts,
  cardVersion,
  type ProfileService,
  profileDeleted,
  profileMoved,
  profileNotFound,
  usernameParams,
} from '../../profiles/profiles/index.ts'
import type { FileService } from '../files/index.ts'

const PNG = 'image/png'
const FOR_A_YEAR = 'public, max-age=31536000, immutable'
const FOR_A_MINUTE = 'public, max-age=60'
const MAX_PORTRAIT_BYTES = 10_485_760

/** The image must not load or run anything in any context. */
const HARMLESS = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' }

export interface CardServices {
  readonly profiles: ProfileService
  readonly paywall: Pick<Paywall, 'isOpen'>
  /** Undefined in services without files. */
  readonly files?: Pick<FileService, 'isEnabled' | 'findKnown' | 'open'> | undefined
  /** Undefined when the host configures none. */
  readonly cards?: CardRenderer | undefined
}

interface Portrait {
  /** Whether the profile names a file as its portrait that everyone may read. */
  readonly isNamed: boolean
  /** Undefined when a reader may not see the file, or it does not exist, belongs to another profile, or is not an image that can be drawn. */
  readonly file?: StoredFile | undefined
}

/** Finds the portrait of a profile. It is the same for every reader, because others get the picture that is drawn for one. */
async function findPortrait(
  profile: Profile,
  gates: GateConfig | undefined,
  { files, profiles, paywall }: CardServices,
): Promise<Portrait> {
  const id = cardPortraitId(profile, gates, profiles.publicUrl)
  if (id === undefined) return { isNamed: false }
  // What the host may have to withhold depends on the reader.
  if (!(await paywall.isOpen(profile, resourceName('files', [`f${id}`])))) return { isNamed: true }
  const file = files?.isEnabled ? (await files.findKnown(id))?.file : undefined
  const isOwn = file?.profileId === profile.id
  const isDrawable = isOwn && file.contentType.startsWith('image/') && file.size <= MAX_PORTRAIT_BYTES
  return { isNamed: true, file: isDrawable ? file : undefined }
}

/** @throws `storage_error` when the bytes cannot be read now */
async function readPortrait({ file }: Portrait, { files }: CardServices): Promise<Uint8Array | undefined> {
  const content = file && (await files?.open(file))
  return content && buffer(content.body)
}

interface Carded {
  readonly profile: Profile
  readonly gates: GateConfig | undefined
  readonly site: Site
  readonly version: string
}

/**
 * Draws the picture of a profile. It may be kept unless the profile names a portrait: its file can be replaced, and the address of the picture
 * does not change with it. Undefined while the renderer is busy, and without one.
 *
 * @throws when the portrait cannot be read now
 */
async function drawCard({ profile, gates, site, version }: Carded, services: CardServices) {
  if (!services.cards) return undefined
  const portrait = await findPortrait(profile, gates, services)
  const png = await services.cards.render(cardTexts(profile, site), {
    // The content of the file is not part of the address.
    version: `${version}.${portrait.file?.sha256 ?? 'none'}`,
    owner: profile.ownerAccountId,
    portrait: () => readPortrait(portrait, services),
  })
  return png && { png, isLasting: !portrait.isNamed }
}

/** The pictures that other sites show beside links to profiles. Each version has an address, which clients keep. */
export function cardRoutes(app: EepRoutes, services: CardServices): void {
  const { profiles } = services
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
        const version = cardVersion(profile, known.gates, site)
        const card = await drawCard({ profile, gates: known.gates, site, version }, services).catch(
          (error: unknown) => {
            request.log.warn({ err: error }, 'the picture of previews of a profile was not drawn')
            return undefined
          },
        )
        const isLasting = card?.isLasting && request.query.v === version && profile.visibility === 'public'
        const { accent } = (site.appearance ?? DEFAULT_APPEARANCE).light
        const ofVisibility = profile.visibility === 'public' ? FOR_A_MINUTE : CACHE_CONTROL[profile.visibility]
        return sendWithEtag(request, reply, {
          body: card ? Buffer.from(card.png) : ofService(accent),
          type: PNG,
          cacheControl: isLasting ? FOR_A_YEAR : ofVisibility,
          headers: { 'eep-entity-did': profiles.didOf(profile), ...robotsOf(profile.visibility), ...HARMLESS },
        })
      },
    )
  })
}
