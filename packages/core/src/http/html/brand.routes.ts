import { z } from 'zod'
import { notFound } from '../../kernel/errors.ts'
import { lazy } from '../../kernel/lazy.ts'
import { memoized } from '../../kernel/memoized.ts'
import { pngSize } from '../../kernel/png.ts'
import { sendWithEtag } from '../documents/send-with-etag.ts'
import type { HttpEnvironment } from '../environment.ts'
import { type EepRoutes, routeConfig } from '../routes.ts'
import { type Logo, logoAddress, MANIFEST_PATH, SERVICE_CARD_PATH } from './brand.ts'
import { cardPng, iconPng } from './icon.ts'
import { createAppearance } from './style.ts'

const FOR_A_YEAR = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'
const FOR_AN_HOUR = 'public, max-age=3600'

const PNG = 'image/png'
const MANIFEST = 'application/manifest+json'
const ICON_SIZES = ['180', '192', '512'] as const

/** Nothing in an image may run or load anything, also when it is opened by itself. */
const HARMLESS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
}

const asset = (operationId: string, summary: string, type: string) =>
  routeConfig({ auth: 'none', tag: 'system', operationId, summary, produces: [type] })

const siteManifest = z
  .object({
    name: z.string(),
    short_name: z.string(),
    description: z.string(),
    start_url: z.string(),
    scope: z.string(),
    display: z.literal('browser'),
    background_color: z.string(),
    theme_color: z.string(),
    icons: z.array(z.object({ src: z.string(), type: z.string(), sizes: z.string() })),
  })
  .meta({ id: 'SiteManifest' })

const sent = { 200: z.string(), 304: z.undefined() }

/** The icons of the manifest: the logo if there is one, then the icon of the service. */
function iconsOf(prefix: string, logo: Logo | undefined) {
  const drawn = ICON_SIZES.slice(1).map((size) => ({
    src: `${prefix}/assets/icon-${size}.png`,
    type: PNG,
    sizes: `${size}x${size}`,
  }))
  if (!logo) return drawn
  const { width, height } = logo.type === PNG ? pngSize(logo.bytes) : { width: 0, height: 0 }
  const own = { src: `${prefix}${logoAddress(logo)}`, type: logo.type, sizes: width > 0 ? `${width}x${height}` : 'any' }
  return [own, ...drawn]
}

/** What browsers and previews show of the service: its logo, icons, manifest, and the picture of previews. */
export function brandRoutes(
  app: EepRoutes,
  { name, description, pages: { theme, logo } }: Pick<HttpEnvironment, 'name' | 'description' | 'pages'>,
): void {
  const { light } = createAppearance(theme)
  const icon = memoized((size: number) => iconPng(size, light), ICON_SIZES.length)
  const card = lazy(() => cardPng(light))

  if (logo) {
    app.get(
      logo.path,
      {
        config: asset('getLogo', 'Get the logo of the service', logo.type),
        schema: { querystring: z.object({ v: z.string().max(64).optional() }), response: sent },
      },
      async (request, reply) =>
        sendWithEtag(request, reply, {
          body: logo.bytes,
          type: logo.type,
          cacheControl: request.query.v === logo.version ? FOR_A_YEAR : FOR_AN_HOUR,
          headers: HARMLESS,
        }),
    )
  }

  app.get(
    '/assets/icon-:size.png',
    {
      config: asset('getIcon', 'Get the icon of the service for the home screen of a phone', PNG),
      schema: { params: z.object({ size: z.string().max(8) }), response: sent },
    },
    async (request, reply) => {
      const size = ICON_SIZES.find((each) => each === request.params.size)
      if (size === undefined) throw notFound()
      const body = logo?.type === PNG && size === ICON_SIZES[0] ? logo.bytes : icon(Number(size))
      return sendWithEtag(request, reply, { body, type: PNG, cacheControl: FOR_A_DAY, headers: HARMLESS })
    },
  )

  app.get(
    SERVICE_CARD_PATH,
    {
      config: asset('getServiceCard', 'Get the picture of previews of pages that have no other one', PNG),
      schema: { response: sent },
    },
    async (request, reply) =>
      sendWithEtag(request, reply, { body: card(), type: PNG, cacheControl: FOR_A_DAY, headers: HARMLESS }),
  )

  app.get(
    MANIFEST_PATH,
    {
      config: asset('getSiteManifest', 'Get the name, the colors and the icons of the site for browsers', MANIFEST),
      schema: { response: { 200: siteManifest, 304: z.undefined() } },
    },
    async (request, reply) =>
      sendWithEtag(request, reply, {
        body: JSON.stringify({
          name,
          short_name: name,
          description,
          start_url: `${app.prefix}/`,
          scope: `${app.prefix}/`,
          display: 'browser',
          background_color: light.paper,
          theme_color: light.paper,
          icons: iconsOf(app.prefix, logo),
        }),
        type: MANIFEST,
        cacheControl: FOR_AN_HOUR,
      }),
  )
}
