import { askedText } from '../../model/asked-text.ts'
import { askedMessages } from '../../model/common-messages.ts'
import type { GateConfig } from '../../model/gate-config.ts'
import { covers } from '../../model/resource-pattern.ts'
import { type Html, html } from './html.ts'
import { lockHtml } from './pieces.ts'
import type { Site } from './view.ts'

/** Writes what a gated resource asks for, or that the viewer of the page bought it. False when everyone may read it. */
export function accessMarkHtml(resource: string, gates: GateConfig | undefined, site: Site): Html | false {
  const asked = askedText(site, resource, gates)
  if (asked === undefined) return false
  const isHeld = site.viewer?.held?.some(({ resourcePattern }) => covers(resourcePattern, resource)) ?? false
  return isHeld ? html`<span class="soft">${askedMessages(site)('access')}</span>` : lockHtml(asked)
}
