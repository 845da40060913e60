import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import { dataScript, type Html, html } from '../../../../http/html/html.ts'
import { pageScript } from '../../../../http/html/script.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { salesScreenMessages } from '../messages.ts'

/** The script that shows new sales. Its page loads it beside the script of pages. */
export const LIVE_SCRIPT = pageScript('live', '/assets/live.js')

/** The stream that sends the events of an account and its teams. */
const STREAM = '/eep/stream'

/** What a sale sends to its seller; single requests make no entitlement, and only notifications. */
const TYPES = ['gate.access_granted', 'notification.created']

/** Whether the screen shows the newest sales, which new ones belong to, on a listener with the stream. */
export const isLive = ({ site, query, entered }: Pick<ProfileVisit, 'site' | 'query' | 'entered'>): boolean =>
  query.cursor === undefined && entered === undefined && site.has?.(STREAM) === true

/**
 * Writes what the script needs, and where it states that there are new sales.
 *
 * @param prefix - the prefix of the types of events
 */
export function liveData({ site }: Pick<ProfileVisit, 'site'>, prefix: string): Html {
  const say = salesScreenMessages(site)
  const types = TYPES.map((type) => `${prefix}${type}`)
  const url = hrefOn(site, `${STREAM}?${new URLSearchParams({ types: types.join(',') })}`)
  const texts = { shown: say('newShown'), waiting: say('newWaiting') }
  return html`<p class="soft" role="status" data-live-status hidden></p>${dataScript('live', { url, types, texts })}\n`
}
