import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  buttonOnly,
  ofForm,
  screenForm,
  shownText,
  textOf,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { type Html, html, sanitised } from '../../../../http/html/html.ts'
import { areaHtml, fileHtml, lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import { dayText, momentText } from '../../../../model/day-text.ts'
import type { PagePreviewLink } from '../../../../ports/storage/page-previews.ts'
import { contentPath, preconditionFailed } from '../../../publishing/content/index.ts'
import { editorMessages, writingMessages } from '../messages.ts'
import { editorPath, placeChoices, statusHtml } from './content-html.ts'
import type { EditedPage } from './edited-page.ts'
import type { Place } from './outline.ts'

/** What the editor shows. */
export interface EditorParts {
  readonly edited: EditedPage
  readonly places: readonly Pick<Place, 'id' | 'names'>[]
  /** The address of the cover; undefined without one. */
  readonly coverHref: string | undefined
  readonly links: readonly PagePreviewLink[]
  readonly hasFiles: boolean
  readonly hasVersions: boolean
  readonly hasLinks: boolean
  /** The panel with the price. */
  readonly prices: Html | false
  /** The text as readers will see it. */
  readonly preview?: string | undefined
  /** What the script of the editor needs. */
  readonly island: Html
  /** The address of a preview link that was just made. */
  readonly made?: string | undefined
}

/** The tag that the text was read as: that of the form, unless the form was refused because of it. */
function tagOf({ entered }: ProfileVisit, { tag }: EditedPage): string {
  const isStale = isEepError(entered?.error) && entered.error.code === preconditionFailed.code
  return entered && !isStale ? (textOf(entered.texts, 'tag') ?? tag) : tag
}

/** Writes which text readers see now, and which one is shown here. */
function stateHtml({ site }: ProfileVisit, { placed: { page, profile, slugs }, draft, publishAt }: EditedPage): Html {
  const say = editorMessages(site)
  const see = html`<a href="${hrefOn(site, contentPath(profile, slugs))}">${say('see')}</a>`
  const at =
    publishAt &&
    html` <time datetime="${publishAt.toISOString()}">${say('scheduled', { time: momentText(site, publishAt) })}</time>`
  if (page.status !== 'published') return html`<div class="notice"><p>${say(page.status)}${at}</p></div>\n`
  const text = draft ? say('hasDraft', { day: dayText(site, page.updatedAt) }) : say('public')
  return html`<div class="notice"><p>${text}${at} ${see}</p></div>\n`
}

/** Shows both texts after another person saved meanwhile. Sending the form again saves one's own. */
function conflictHtml(visit: ProfileVisit, { text }: EditedPage): Html | false {
  const { entered, site } = visit
  if (!entered || !isEepError(entered.error) || entered.error.code !== preconditionFailed.code) return false
  const mine = textOf(entered.texts, 'body')
  if (mine === undefined) return false
  const say = editorMessages(site)
  return html`<section class="card"><h2>${say('conflict')}</h2><p>${say('conflictLead')}</p>
<div class="mine"><div><h3>${say('mine')}</h3><pre dir="auto">${mine}</pre></div><div><h3>${say('theirs')}</h3><pre dir="auto">${text.body}</pre></div></div>
<p class="acts"><a class="btn second" href="${hrefOn(site, visit.path)}">${say('takeTheirs')}</a></p></section>\n`
}

/** Writes the form with the text. */
function textForm(visited: ProfileVisit, { edited }: EditorParts): Html | false {
  const actions = ['save', 'preview', 'publish', 'schedule']
  const visit = ofForm(visited, actions)
  const { site } = visit
  const say = editorMessages(site)
  const { text, placed, publishAt } = edited
  const isPublished = placed.page.status === 'published'
  return screenForm(
    visit,
    { actions, hidden: { tag: tagOf(visit, edited) }, id: 'text' },
    html`${lineHtml({ name: 'title', label: say('title'), isBig: true, isRequired: true, maxLength: 200, value: shownText(visit, 'title', text.title), problem: wrongWith(visit, 'title') })}${areaHtml({ name: 'body', label: say('text'), hint: say('markdown'), rows: 22, isCode: true, value: shownText(visit, 'body', text.body), problem: wrongWith(visit, 'body') })}${areaHtml({ name: 'excerpt', label: say('excerpt'), hint: say('excerptHint'), rows: 3, maxLength: 1_000, value: shownText(visit, 'excerpt', text.excerpt), problem: wrongWith(visit, 'excerpt') })}
<details${(publishAt || wrongWith(visit, 'publish_at')) && html` open`}><summary>${say('later')}</summary><div class="pair">${lineHtml({ name: 'publish_at', type: 'datetime-local', label: say('time'), hint: say('utc'), value: shownText(visit, 'publish_at', publishAt?.toISOString().slice(0, 16)), problem: wrongWith(visit, 'publish_at') })}<p class="acts">${actionButton(visit, 'schedule', say('schedule'), 'second')}</p></div></details>
<p class="bar"><span class="state">${say(isPublished ? 'stateDraft' : 'statePage')}</span><span class="sr-only" role="alert"></span>${actionButton(visit, 'preview', say('preview'), 'second')}${actionButton(visit, 'save', say('save'), 'second')}${actionButton(visit, 'publish', say('publish'))}</p>`,
  )
}

/** Writes the form with the address and the category, which change for readers immediately. */
function placeForm(visited: ProfileVisit, { edited: { placed }, places }: EditorParts): Html | false {
  const actions = ['place']
  const visit = ofForm(visited, actions)
  const say = editorMessages(visit.site)
  const { page } = placed
  const form = screenForm(
    visit,
    { actions, hidden: { version: String(page.version) } },
    html`${lineHtml({ name: 'slug', label: say('slug'), isExact: true, isRequired: true, maxLength: 96, hint: say('slugHint'), value: shownText(visit, 'slug', page.slug), problem: wrongWith(visit, 'slug') })}${selectHtml({ name: 'category', label: say('category'), choices: placeChoices(visit, places, shownText(visit, 'category', String(page.categoryId ?? ''))) })}<p class="acts">${actionButton(visit, 'place', say('savePlace'), 'second')}</p>`,
  )
  return form && html`<section class="card"><h2>${say('address')}</h2>${form}</section>`
}

function coverForm(visited: ProfileVisit, { edited, coverHref }: EditorParts): Html | false {
  const actions = ['cover']
  const visit = ofForm(visited, actions)
  const say = editorMessages(visit.site)
  const hidden = { tag: edited.tag }
  const form = screenForm(
    visit,
    { actions, hidden, hasFiles: true },
    html`${fileHtml({ name: 'cover', label: say('coverFile'), accept: 'image/*', isRequired: true, hint: say('coverHint'), problem: wrongWith(visit, 'cover') })}<p class="acts">${actionButton(visit, 'cover', say('upload'), 'second')}</p>`,
  )
  const remove = coverHref !== undefined && buttonOnly(visited, 'removeCover', say('removeCover'), hidden, 'quiet')
  return (
    form &&
    html`<section class="card"><h2>${say('cover')}</h2>${coverHref !== undefined && html`<img class="cover" src="${coverHref}" alt="">`}${form}${remove}</section>`
  )
}

/** Writes what ends the publication of the page, or its draft. */
function endingForms(visit: ProfileVisit, { edited: { placed, draft, tag } }: EditorParts): Html | false {
  const say = editorMessages(visit.site)
  const version = { version: String(placed.page.version) }
  const { status } = placed.page
  const buttons = [
    draft && buttonOnly(visit, 'discard', say('discard'), { tag }),
    (draft?.publishAt ?? placed.publishAt) && buttonOnly(visit, 'unschedule', say('unschedule'), { tag }),
    status === 'published' && buttonOnly(visit, 'unpublish', say('unpublish'), version),
    status === 'published' && buttonOnly(visit, 'archive', say('archive'), version),
  ].filter((button) => typeof button === 'object' && button !== null)
  return (
    buttons.length > 0 &&
    html`<section class="card"><h2>${say('state')}</h2><div class="acts">${buttons}</div></section>`
  )
}

function linksHtml(visit: ProfileVisit, { links, made }: EditorParts): Html {
  const { site } = visit
  const say = editorMessages(site)
  return html`<section class="card"><h2>${say('previewLinks')}</h2><p class="soft">${say('previewLinksHint')}</p>${
    made &&
    html`<div class="notice" role="status"><p>${say('linkMade')}<br><a href="${made}"><bdi>${made}</bdi></a></p></div>`
  }${links.map(({ id, expiresAt }) => html`<div class="acts"><span>${say('linkUntil', { day: dayText(site, expiresAt) })}</span>${buttonOnly(visit, 'revokeLink', say('revoke'), { link: String(id) }, 'quiet')}</div>`)}${buttonOnly(visit, 'makeLink', say('makeLink'))}</section>`
}

/** Writes the editor of a page. */
export function editorHtml(visit: ProfileVisit, parts: EditorParts): Html {
  const { edited, preview, prices, hasFiles, hasVersions, hasLinks } = parts
  const { site, profile } = visit
  const say = editorMessages(site)
  const { page } = edited.placed
  const canPreview = hasLinks && (page.status === 'draft' || edited.draft !== undefined)
  return html`${stateHtml(visit, edited)}${conflictHtml(visit, edited)}${
    preview !== undefined &&
    html`<section class="card" aria-labelledby="preview"><h2 id="preview">${say('previewTitle')}</h2><div class="prose" lang="" dir="auto">${sanitised(preview)}</div></section>\n`
  }<div class="two"><div>${textForm(visit, parts)}<details data-preview open hidden><summary>${writingMessages(site)('live')}</summary><div class="prose" lang="" dir="auto"></div></details>${parts.island}</div>
<div>${prices}${placeForm(visit, parts)}${hasFiles && coverForm(visit, parts)}${endingForms(visit, parts)}${canPreview && linksHtml(visit, parts)}<section class="card"><h2>${say('history')}</h2><p>${statusHtml(visit, { page, publishAt: null })} · ${say('version', { version: page.version })}</p>${hasVersions && html`<p><a href="${hrefOn(site, `${editorPath(profile.id, page.id)}/versions`)}">${say('versions')}</a></p>`}</section></div></div>`
}
