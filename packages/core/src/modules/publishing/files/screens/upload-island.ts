import type { ScreenVisit } from '../../../../framework/module/screen.ts'
import { dataScript, type Html, html } from '../../../../http/html/html.ts'
import { pageScript } from '../../../../http/html/script.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import { fileScreenMessages } from '../messages.ts'
import { uploadProblems } from './problems.ts'

/** The script that uploads files with progress. Pages that need it load it beside the script of pages. */
export const UPLOADS_SCRIPT = pageScript('uploads', '/assets/uploads.js')

/** How a page sends its files. */
export interface Uploading {
  readonly url: string
  readonly method: 'POST' | 'PUT'
  /** The fields beside the file. Default: none. */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** The ETag of the content that is replaced. Default: none is. */
  readonly etag?: string | undefined
  /** Whether several files can be chosen. Default: one. */
  readonly isMany?: boolean | undefined
  /** The texts of further refusals, by their error codes. */
  readonly codes?: Readonly<Record<string, string>> | undefined
}

const STATES = [
  'waiting',
  'sending',
  'cut',
  'unsure',
  'cancelled',
  'refused',
  'signedOut',
  'cancel',
  'again',
  'stored',
] as const

/** The texts of the script, in the language of the page. It fills in the numbers. */
const textsOn = (site: Site) => {
  const say = fileScreenMessages(site, (value) => value)
  return {
    ...Object.fromEntries(STATES.map((state) => [state, say(state)])),
    allStored: say('allStored'),
    ended: say('ended', { stored: '{stored}', all: '{all}' }),
    paused: say('paused', { seconds: '{seconds}' }),
  }
}

/** Writes where the script lists uploads, and what it needs. Hidden until files are sent. */
export function uploadListHtml(
  { site, path }: Pick<ScreenVisit, 'site' | 'path'>,
  { url, method, fields = {}, etag, isMany = false, codes: others }: Uploading,
): Html {
  const say = fileScreenMessages(site)
  const codes = { ...uploadProblems(site), ...others }
  const done = hrefOn(site, path)
  const data = { url: hrefOn(site, url), method, fields, etag, many: isMany, done, texts: textsOn(site), codes }
  return html`<ul class="rows" data-upload-list hidden></ul><p class="acts" data-upload-status hidden><span role="status"></span><a href="${done}" hidden>${say('reload')}</a></p>
${dataScript('uploads', data)}\n`
}
