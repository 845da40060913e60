import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { accessMarkHtml } from '../../../../http/html/access-mark.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { dayText, momentText } from '../../../../model/day-text.ts'
import type { GateConfig } from '../../../../model/gate-config.ts'
import { contentPath, contentResource } from '../../../publishing/content/index.ts'
import { contentMessages, orderMessages } from '../messages.ts'
import { type ListedPage, type Outline, orderTag, type Place } from './outline.ts'

/** The id of the form of the actions on several pages; the boxes are outside of it. */
const MANY = 'many'
/** What its buttons do. */
const MANY_ACTIONS = ['publish', 'archive', 'place']

/** The path of the editor of a page. */
export const editorPath = (profileId: number, pageId: number): string => `/manage/profiles/${profileId}/pages/${pageId}`

/** The path of the list of pages. */
export const contentListPath = (profileId: number): string => `/manage/profiles/${profileId}/content`

const nameOfPlace = ({ names }: Pick<Place, 'names'>, topLevel: string) =>
  names.length === 0 ? topLevel : names.join(' › ')

/** Writes the choices of places. */
export const placeChoices = (
  visit: ProfileVisit,
  places: readonly Pick<Place, 'id' | 'names'>[],
  chosen: string,
): Parameters<typeof selectHtml>[0]['choices'] =>
  places.map((place) => ({
    value: String(place.id ?? ''),
    label: nameOfPlace(place, contentMessages(visit.site)('topLevel')),
    isChosen: String(place.id ?? '') === chosen,
  }))

/** Writes the state of a page in a word, with the time at which it will be published. */
export function statusHtml(visit: ProfileVisit, { page, publishAt }: Pick<ListedPage, 'page' | 'publishAt'>): Html {
  const say = contentMessages(visit.site)
  const look = page.status === 'published' ? 'ok' : ''
  const scheduled =
    publishAt &&
    html`<br><small><time datetime="${publishAt.toISOString()}">${say('scheduledFor', { time: momentText(visit.site, publishAt) })}</time></small>`
  return html`<span class="tag ${look}">${say(page.status)}</span>${scheduled}`
}

/** Writes a page as a row of the table of its place. */
function rowHtml(
  visit: ProfileVisit,
  listed: ListedPage,
  place: Place,
  gates: GateConfig | undefined,
  canMove: boolean,
): Html {
  const { site, profile } = visit
  const say = contentMessages(site)
  const { page, slugs } = listed
  const path = visit.may('content.edit')
    ? editorPath(profile.id, page.id)
    : page.status === 'published'
      ? contentPath(profile, slugs)
      : undefined
  const title = html`<bdi>${page.title}</bdi>`
  const order = orderTag(place.pages.map(({ page: { id } }) => id))
  const at = place.pages.indexOf(listed)
  const move = (action: 'up' | 'down', isPossible: boolean) =>
    isPossible &&
    screenForm(
      visit,
      { actions: [action], among: { page: String(page.id) }, hidden: { order } },
      html`${actionButton(visit, action, html`<span aria-hidden="true">${action === 'up' ? '↑' : '↓'}</span><span class="sr-only">${say(action, { title: page.title })}</span>`, 'second')}`,
    )
  const many = ofForm(visit, MANY_ACTIONS)
  const box =
    visit.allows('publish') &&
    html`<label class="pick"><input type="checkbox" form="${MANY}" name="page" value="${page.id}"${isChosen(many, 'page', String(page.id), false) && html` checked`}><span class="sr-only">${say('select', { title: page.title })}</span></label>`
  return html`<tr${canMove && html` data-page="${page.id}" data-drag="${orderMessages(site)('drag', { title: page.title })}"`}><th scope="row">${box}${path === undefined ? title : html`<a href="${hrefOn(site, path)}">${title}</a>`}</th><td data-th="${say('status')}"><span>${statusHtml(visit, listed)}</span></td><td data-th="${say('access')}"><span>${accessMarkHtml(contentResource(slugs), gates, { ...site, viewer: undefined }) || say('free')}</span></td><td data-th="${say('published')}" class="num">${page.publishedAt ? html`<time datetime="${page.publishedAt.toISOString()}">${dayText(site, page.publishedAt)}</time>` : '–'}</td>${
    visit.allows('delete') &&
    html`<td data-th="${say('actions')}"><span class="acts">${canMove && move('up', at > 0)}${canMove && move('down', at < place.pages.length - 1)}<a class="btn second" href="${hrefOn(site, `${visit.path}?delete=${page.id}`)}">${say('delete')}<span class="sr-only"> <bdi>${page.title}</bdi></span></a></span></td>`
  }</tr>\n`
}

function placeHtml(visit: ProfileVisit, place: Place, gates: GateConfig | undefined, canMove: boolean): Html | false {
  if (place.pages.length === 0 && place.id === null) return false
  const say = contentMessages(visit.site)
  const head = [say('page'), say('status'), say('access')]
  const title = html`<h2><bdi>${nameOfPlace(place, say('topLevel'))}</bdi></h2>`
  if (place.pages.length === 0) return html`<section>${title}<p class="soft">${say('emptyCategory')}</p></section>\n`
  return html`<section>${title}
<table class="stack"${canMove && html` data-place="${place.id ?? ''}"`}><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}<th scope="col" class="num">${say('published')}</th>${visit.allows('delete') && html`<th scope="col">${say('actions')}</th>`}</tr></thead><tbody>
${place.pages.map((listed) => rowHtml(visit, listed, place, gates, canMove))}</tbody></table></section>\n`
}

/** Writes the forms that add a page or a category. */
function newForms(visit: ProfileVisit, { places }: Outline): Html {
  const say = contentMessages(visit.site)
  const creating = ofForm(visit, ['create'])
  const adding = ofForm(visit, ['addCategory'])
  const newPage = screenForm(
    creating,
    { actions: ['create'] },
    html`<div class="pair">${lineHtml({ name: 'title', label: say('title'), maxLength: 200, isRequired: true, value: shownText(creating, 'title', ''), problem: wrongWith(creating, 'title') })}${selectHtml({ name: 'category', label: say('category'), choices: placeChoices(creating, places, shownText(creating, 'category', '')) })}</div>
<p class="acts">${actionButton(creating, 'create', say('newPage'))}</p>`,
  )
  const newCategory = screenForm(
    adding,
    { actions: ['addCategory'] },
    html`<div class="pair">${lineHtml({ name: 'name', label: say('categoryName'), maxLength: 120, isRequired: true, value: shownText(adding, 'name', ''), problem: wrongWith(adding, 'name') })}${selectHtml({ name: 'parent', label: say('within'), choices: placeChoices(adding, places, shownText(adding, 'parent', '')) })}</div>
<p class="acts">${actionButton(adding, 'addCategory', say('addCategory'), 'second')}</p>`,
  )
  return html`${newPage && html`<section class="card"><h2>${say('writePage')}</h2>${newPage}</section>`}${newCategory && html`<details class="card"><summary>${say('addCategory')}</summary>${newCategory}</details>\n`}`
}

/** Writes the form for several pages, whose boxes are in the tables. */
const manyForm = (visited: ProfileVisit, { places }: Outline): Html | false => {
  const actions = MANY_ACTIONS
  const visit = ofForm(visited, actions)
  const say = contentMessages(visit.site)
  return screenForm(
    visit,
    { actions, id: MANY },
    html`<fieldset class="card"><legend>${say('selected')}</legend>${wrongWith(visit, 'page') && html`<p class="wrong">${say('selectFirst')}</p>`}<p class="acts">${actionButton(visit, 'publish', say('publish'), 'second')}${actionButton(visit, 'archive', say('archive'), 'second')}</p>
<div class="pair">${selectHtml({ name: 'category', id: 'move-to', label: say('moveTo'), choices: placeChoices(visit, places, shownText(visit, 'category', '')) })}<p class="acts">${actionButton(visit, 'place', say('move'), 'second')}</p></div></fieldset>`,
  )
}

/** Writes the list of the pages of a profile. */
export function contentHtml(visit: ProfileVisit, outline: Outline, gates: GateConfig | undefined): Html {
  const say = contentMessages(visit.site)
  const canMove = !outline.isCut
  if (outline.total === 0) {
    return html`${emptyHtml(say('empty'), false)}${newForms(visit, outline)}`
  }
  return html`${newForms(visit, outline)}${outline.isCut && html`<p class="notice">${say('cut', { count: outline.total })}</p>`}${outline.places.map((place) => placeHtml(visit, place, gates, canMove))}${manyForm(visit, outline)}`
}

/** What deleting a page deletes with it. */
export interface Deletion {
  readonly listed: ListedPage
  readonly versions: number
}

/** Writes the question before a page is deleted: archiving comes first, because it can be undone. */
export function deletionHtml(visit: ProfileVisit, { listed: { page }, versions }: Deletion): Html {
  const say = contentMessages(visit.site)
  const hidden = { page: String(page.id), version: String(page.version) }
  const archive =
    page.status === 'published' &&
    screenForm(
      visit,
      { actions: ['archiveOne'], hidden },
      html`${actionButton(visit, 'archiveOne', say('archiveInstead'))}`,
    )
  const remove = screenForm(
    visit,
    { actions: ['delete'], hidden },
    html`${actionButton(visit, 'delete', say('deleteForGood'), 'danger')}`,
  )
  return html`<section class="card"><h2>${say('deleteTitle', { title: page.title })}</h2>
<p>${say('deleteCounts', { count: versions })}</p>${page.status === 'published' && html`<p>${say('archiveHint')}</p>`}
<div class="acts">${archive}${remove}<a href="${hrefOn(visit.site, visit.path)}">${say('keep')}</a></div></section>`
}
