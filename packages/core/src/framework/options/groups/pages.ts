import { z } from 'zod'
import { readLogo } from '../../../http/html/brand.ts'
import type { CardRenderer } from '../../../ports/card-renderer.ts'
import { type Group, group, pageAddress, port } from '../fields.ts'

const color = z.string().regex(/^#[0-9a-f]{6}$/i, 'Must be a color such as #1f5f4f')

const colors = {
  /** The background. */
  paper: color.optional(),
  /** Text. */
  ink: color.optional(),
  /** Secondary text. */
  soft: color.optional(),
  /** Lines and borders. */
  line: color.optional(),
  /** The background of boxes and code. */
  tint: color.optional(),
  /** Links and buttons. */
  accent: color.optional(),
}

const theme = {
  /** Colors of pages on light screens. Default: dark text on warm white. */
  light: group(colors) as Group<typeof colors>,
  /** Colors of pages on dark screens. Default: light text on near black. */
  dark: group(colors) as Group<typeof colors>,
}

const tag = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'Must be a language tag such as de or pt-BR')

export const pages = {
  /**
   * The languages of the pages, the default one first. A page is sent in the one that the browser prefers. `en`, `de`, `ja`
   * and `ar` are shipped; others need `translations`.
   * @default ["en", "de", "ja", "ar"]
   */
  languages: z.array(tag).min(1).max(50).readonly().default(['en', 'de', 'ja', 'ar']),
  /**
   * Texts of pages by language, then by key, which replace or add to the shipped ones: `{ fr: { 'page.search': 'Rechercher'
   * } }`. Texts without a translation are in English.
   * @default {}
   */
  translations: z.record(tag, z.record(z.string().max(128), z.string().max(2_000))).default({}),
  /** Colors of the pages, as CSS hexadecimal colors. */
  theme: group(theme) as Group<typeof theme>,
  /**
   * The color of links and buttons, `#1f5f4f`. Pages make it darker on light screens and lighter on dark ones until text in it can be
   * read; an accent of `theme` is used as it is. Default: green.
   */
  accent: color.optional(),
  /**
   * A file with a logo, PNG or SVG, of at most 256 KiB, which the service reads at its start and sends. It is shown beside the name of the
   * service, as the icon of pages and, if it is PNG, in emails. Default: none.
   */
  logoFile: z
    .string()
    .transform((file, context) => {
      try {
        return readLogo(file)
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : String(error))
        return z.NEVER
      }
    })
    .optional(),
  /**
   * The path of a logo that this origin serves, shown beside the name of the service and as the icon of pages: `/logo.svg`.
   * Default: that of `logoFile`.
   */
  logoPath: z
    .string()
    .regex(/^\/[^/]/, 'Must be a path on this origin, such as /logo.svg')
    .optional(),
  /**
   * The map to which pages of places link, with `{lat}` and `{lng}` for the position.
   * @default "https://www.openstreetmap.org/?mlat={lat}&mlon={lng}#map=16/{lat}/{lng}"
   */
  mapUrl: z
    .string()
    .max(2_048)
    .regex(/^https:\/\/[^\s"<>]+$/, 'Must be a URL that starts with https://')
    .refine((url) => url.includes('{lat}') && url.includes('{lng}'), 'Must contain {lat} and {lng}')
    .default('https://www.openstreetmap.org/?mlat={lat}&mlon={lng}#map=16/{lat}/{lng}'),
  /**
   * Draws the pictures that other sites show beside links to profiles: `shareCards()` of `@eep/core/files`. Without one, they show that of the
   * service.
   */
  shareCards: port<CardRenderer>('render').optional(),
  /** The URL of the imprint, or its path on this origin, linked from every page. Default: none. */
  imprintUrl: pageAddress.optional(),
  /** The URL of the privacy policy, or its path on this origin, linked from every page. Default: none. */
  privacyUrl: pageAddress.optional(),
}
