import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import { dataScript, type Html, html } from '../../../../http/html/html.ts'
import { pageScript } from '../../../../http/html/script.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { orderMessages } from '../messages.ts'

/** The script that orders pages by dragging. Its page loads it beside the script of pages. */
export const REORDER_SCRIPT = pageScript('reorder', '/assets/reorder.js')

/** Writes what the script needs, and where it shows what happened. */
export function reorderData({ site, path, caller }: Pick<ProfileVisit, 'site' | 'path' | 'caller'>): Html {
  // The script fills in the numbers.
  const say = orderMessages(site, (value) => value)
  const texts = {
    keys: say('keys'),
    movedTo: say('movedTo', { place: '{place}', count: '{count}' }),
    saved: say('saved'),
    notMoved: say('notMoved'),
    failed: say('failed'),
  }
  return html`<p role="status" data-order-status hidden></p>${dataScript('reorder', { url: hrefOn(site, path), by: caller.account.id, texts })}\n`
}
