import { z } from 'zod'
import { type ProfileVisit, type Screen, type ScreenView, screenAction } from '../../../../framework/module/screen.ts'
import { imageHref } from '../../../../http/html/image-href.ts'
import { fileQuotaReached, invalidTransition } from '../../../../kernel/errors.ts'
import { line } from '../../../../kernel/text-fields.ts'
import { isRecord } from '../../../../model/field-values.ts'
import { fileUrl } from '../../../../model/resource-addresses.ts'
import { priceNotFound, priceNotPayable, staleGate, tierInUse } from '../../../access/gates/index.ts'
import { emailNotVerified, type ProfileService } from '../../../profiles/profiles/index.ts'
import {
  type ContentService,
  draftNotFound,
  gatePermissionRequired,
  inThePast,
  invalidCover,
  markdownBody,
  nothingToPreview,
  pageNotDraft,
  pageNotFound,
  pageNotPublished,
  preconditionFailed,
  previewBusy,
  previewLinkNotFound,
  SLUG,
  slugTaken,
  tooFarAhead,
  tooManyPreviewLinks,
  unknownCategory,
  versionTag,
} from '../../../publishing/content/index.ts'
import { type FileService, fileTypeMismatch } from '../../../publishing/files/index.ts'
import { contentListPath } from '../content/content-html.ts'
import { readEdited, saveText } from '../content/edited-page.ts'
import { editorHtml } from '../content/editor-html.ts'
import { EDITOR_SCRIPT, editorData } from '../content/editor-island.ts'
import { categoriesOf } from '../content/outline.ts'
import type { createPricePanel } from '../content/price-panel.ts'
import { contentMessages, editorMessages } from '../messages.ts'
import { uploadImage } from '../upload-image.ts'
import { oneId, optionalLines } from '../values.ts'

/** The services of the editor. */
export interface EditorServices {
  readonly content: Pick<ContentService, 'pages' | 'drafts' | 'categories' | 'previews' | 'previewLinks'>
  readonly profiles: Pick<ProfileService, 'publicUrl' | 'linkKeys'>
  /** Undefined where no files can be stored. */
  readonly files: Pick<FileService, 'begin'> | undefined
  /** Whether the storage has drafts of published pages. */
  readonly hasDrafts: boolean
  readonly hasVersions: boolean
  /** The panel with the price of a page. */
  readonly prices: ReturnType<typeof createPricePanel>
}

/** A page has at most 1 MiB, of which a form encodes most characters with up to three. */
const MAX_FORM_BYTES = 4 * 1_048_576

const tag = z.string().max(128)
const sentText = {
  tag,
  title: z.string().trim().pipe(line(200)),
  body: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .pipe(markdownBody),
  excerpt: optionalLines(1_000),
}
const untouched = z.object({ title: z.string(), body: z.string() })

type Sent = z.output<z.ZodObject<typeof sentText>>

/** A time of an input, which has no offset: it is in UTC. */
const utcTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/)
  .transform((text) => new Date(`${text}Z`))

const OUTCOMES = [
  'saved',
  'published',
  'scheduled',
  'unscheduled',
  'placed',
  'cover',
  'discarded',
  'unpublished',
  'archived',
  'revoked',
  'price',
] as const

/** The screen with the editor of a page: its text, address, cover, price, publication and preview links. */
export function pageEditorScreen(services: EditorServices): Screen {
  const { content, profiles, files, hasDrafts, hasVersions, prices } = services
  const { pages, drafts, categories, previews, previewLinks } = content

  const read = ({ profile, caller, number }: ProfileVisit) =>
    readEdited(content, { profileId: profile.id, pageId: number('page') }, caller, hasDrafts)

  async function view(visit: ProfileVisit, more: { preview?: string; made?: string } = {}): Promise<ScreenView> {
    const { profile, caller, site } = visit
    const edited = await read(visit)
    const { roots } = await categories.tree(profile.id, caller)
    const { coverFileId } = edited.text
    const canPreview = hasDrafts && (edited.placed.page.status === 'draft' || edited.draft !== undefined)
    const key = coverFileId === null ? undefined : profiles.linkKeys.keyOf('file', profile.id, coverFileId)
    return {
      crumbs: [{ name: contentMessages(site)('content'), href: contentListPath(profile.id) }],
      scripts: [EDITOR_SCRIPT],
      body: editorHtml(visit, {
        edited,
        places: [{ id: null, names: [] }, ...categoriesOf(roots)],
        coverHref: coverFileId === null ? undefined : imageHref(fileUrl(profiles.publicUrl, coverFileId, key), site),
        links: canPreview ? await previewLinks.list(edited.placed.page.id, caller) : [],
        hasFiles: files !== undefined,
        hasVersions,
        hasLinks: hasDrafts,
        island: editorData(visit, edited, { hasDrafts, hasFiles: files !== undefined }),
        prices: await prices.html(visit, edited),
        ...more,
      }),
    }
  }

  /** Saves the text of a form, and when it is to be published, and returns the tag of what was saved. */
  async function save(visit: ProfileVisit, { tag: ifMatch, ...text }: Sent & { readonly publishAt?: Date }) {
    return saveText(content, await read(visit), text, visit.caller, { tag: ifMatch, hasDrafts })
  }

  /** The page of the path, which is of the profile. */
  async function ownPage(visit: ProfileVisit): Promise<number> {
    const { page } = await pages.get(visit.number('page'), visit.caller)
    if (page.profileId !== visit.profile.id) throw pageNotFound()
    return page.id
  }

  const change = (status: 'draft' | 'archived', said: string) =>
    screenAction({
      permission: 'content.publish',
      schema: z.object({ version: oneId }),
      async run(visit: ProfileVisit, { version }) {
        await pages.update(await ownPage(visit), { status }, visit.caller, { ifMatch: versionTag(version) })
        return { to: visit.path, said }
      },
    })

  return {
    name: 'pageEditor',
    path: '/manage/profiles/:id/pages/:page',
    section: 'profile',
    within: 'content',
    permission: 'content.edit',
    errors: [
      pageNotFound,
      unknownCategory,
      slugTaken,
      invalidTransition,
      gatePermissionRequired,
      invalidCover,
      inThePast,
      tooFarAhead,
      pageNotDraft,
      pageNotPublished,
      draftNotFound,
      preconditionFailed,
      nothingToPreview,
      tooManyPreviewLinks,
      previewLinkNotFound,
      previewBusy,
      staleGate,
      priceNotPayable,
      priceNotFound,
      tierInUse,
      emailNotVerified,
      fileQuotaReached,
      fileTypeMismatch,
    ],
    maxFormBytes: MAX_FORM_BYTES,
    hasFiles: true,
    title: (page) => editorMessages(page)('heading'),
    said(outcome, page) {
      const known = OUTCOMES.find((each) => each === outcome)
      return known && editorMessages(page)(`did_${known}`)
    },
    problem({ code }, page) {
      const say = editorMessages(page)
      if (code === slugTaken.code) return say('slugTaken')
      if (code === inThePast.code) return say('inThePast')
      if (code === tooFarAhead.code) return say('tooFarAhead')
      if (code === priceNotPayable.code) return say('notPayable')
      return code === tierInUse.code ? say('tierInUse') : undefined
    },
    wrong(input, page) {
      if (input === 'slug') return editorMessages(page)('slugRule')
      if (input === 'confirm') return editorMessages(page)('opensToAll')
      if (input === 'amount') return editorMessages(page)('wrongAmount')
      return input === 'publish_at' ? editorMessages(page)('inThePast') : undefined
    },
    inputsOf({ code, details }) {
      const issues = isRecord(details) && Array.isArray(details.issues) ? details.issues : []
      if (code === 'validation_failed')
        return issues.map((issue) => (isRecord(issue) ? String(issue.path).slice(1) : ''))
      if (code === slugTaken.code) return ['slug']
      if (code === priceNotPayable.code) return ['amount']
      return code === inThePast.code || code === tooFarAhead.code ? ['publish_at'] : []
    },
    post: {
      save: screenAction({
        schema: z.object(sentText),
        async run(visit: ProfileVisit, text) {
          await save(visit, text)
          return { to: visit.path, said: 'saved' }
        },
      }),
      preview: screenAction({
        schema: untouched.loose(),
        async run(visit: ProfileVisit, texts) {
          const { profile, caller, site } = visit
          const { title, body } = texts
          const preview = await previews.render({ profileId: profile.id, body, title }, caller, site)
          // The other inputs of the form are texts too.
          const entered = { texts: texts as Readonly<Record<string, string>>, wrong: {} }
          return { view: await view({ ...visit, entered }, { preview }) }
        },
      }),
      publish: screenAction({
        permission: 'content.publish',
        schema: z.object(sentText),
        async run(visit: ProfileVisit, { tag: ifMatch, ...text }) {
          const { page } = (await read(visit)).placed
          if (hasDrafts && page.status === 'published') {
            await drafts.publish(page.id, visit.caller, await save(visit, { tag: ifMatch, ...text }))
          } else {
            await pages.update(page.id, { ...text, status: 'published' }, visit.caller, { ifMatch })
          }
          return { to: visit.path, said: 'published' }
        },
      }),
      schedule: screenAction({
        permission: 'content.publish',
        schema: z.object({ ...sentText, publish_at: utcTime }),
        async run(visit: ProfileVisit, { publish_at: publishAt, ...text }) {
          await save(visit, { ...text, publishAt })
          return { to: visit.path, said: 'scheduled' }
        },
      }),
      unschedule: screenAction({
        permission: 'content.publish',
        schema: z.object({ tag }),
        async run(visit: ProfileVisit, { tag: ifMatch }) {
          const { placed, draft } = await read(visit)
          const { id } = placed.page
          if (draft) await drafts.put(id, { publishAt: null }, visit.caller, ifMatch)
          else await pages.update(id, { publishAt: null }, visit.caller, { ifMatch })
          return { to: visit.path, said: 'unscheduled' }
        },
      }),
      place: screenAction({
        schema: z.object({
          version: oneId,
          slug: z.string().trim().toLowerCase().regex(SLUG),
          category: z.union([z.literal('').transform(() => null), oneId]),
        }),
        async run(visit: ProfileVisit, { version, slug, category: categoryId }) {
          const options = { ifMatch: versionTag(version) }
          await pages.update(await ownPage(visit), { slug, categoryId }, visit.caller, options)
          return { to: visit.path, said: 'placed' }
        },
      }),
      ...(files && {
        cover: screenAction({
          permission: 'files.edit',
          schema: z.object({ tag }),
          async run(visit: ProfileVisit, { tag: ifMatch }) {
            const edited = await read(visit)
            const coverFileId = await uploadImage(files, visit, visit.files.cover, 'cover')
            await saveText(content, edited, { coverFileId }, visit.caller, { tag: ifMatch, hasDrafts })
            return { to: visit.path, said: 'cover' }
          },
        }),
        removeCover: screenAction({
          schema: z.object({ tag }),
          async run(visit: ProfileVisit, { tag: ifMatch }) {
            await saveText(content, await read(visit), { coverFileId: null }, visit.caller, { tag: ifMatch, hasDrafts })
            return { to: visit.path, said: 'saved' }
          },
        }),
      }),
      unpublish: change('draft', 'unpublished'),
      archive: change('archived', 'archived'),
      ...(hasDrafts && {
        discard: screenAction({
          schema: z.object({ tag }),
          async run(visit: ProfileVisit, { tag: ifMatch }) {
            await drafts.delete(await ownPage(visit), visit.caller, ifMatch)
            return { to: visit.path, said: 'discarded' }
          },
        }),
        makeLink: screenAction({
          schema: z.object({}),
          async run(visit: ProfileVisit) {
            const { token } = await previewLinks.create(await ownPage(visit), visit.caller)
            return { view: await view(visit, { made: `${profiles.publicUrl}/preview/${token}` }), isFinal: true }
          },
        }),
        revokeLink: screenAction({
          schema: z.object({ link: oneId }),
          async run(visit: ProfileVisit, { link }) {
            await previewLinks.delete(await ownPage(visit), link, visit.caller)
            return { to: visit.path, said: 'revoked' }
          },
        }),
      }),
      ...prices.actions,
    },
    get: (visit) => view(visit),
  }
}
