import type { PublicDocument } from '../../../http/documents/public-document.ts'
import { html } from '../../../http/html/html.ts'
import { documentOf, inline, list } from '../../../kernel/markdown.ts'
import type { ProfileSignal, TrustScore } from '../../../model/trust-score.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath } from '../profiles/index.ts'
import { trustMessages } from './messages.ts'

/** The trust score of a profile as a public document. */
export function trustDocument(profile: Profile, did: string, trust: TrustScore<ProfileSignal>): PublicDocument {
  const { score, level, signals } = trust
  const name = profile.fullName ?? profile.username
  return {
    data: { score, level, signals: signals.map((signal) => ({ ...signal })) },
    markdown: () =>
      documentOf(
        `# Trust in ${inline(name)}`,
        `${score} of 100, level \`${level}\``,
        list(signals.map(({ signal, weight, met }) => `\`${signal}\`, weight ${weight}: ${met ? 'yes' : 'no'}`)),
      ),
    html: (site) => {
      const say = trustMessages(site)
      const title = say('title', { name })
      return {
        title,
        crumbs: [{ name, href: profilePath(profile) }],
        head: html`<h1>${title}</h1>
<p>${say('score', { score })}</p>
<dl class="facts">${signals.map(({ signal, met }) => html`<dt>${say(signal)}</dt><dd>${say(met ? 'met' : 'unmet')}</dd>`)}</dl>`,
      }
    },
    headers: { 'eep-entity-did': did, ...robotsOf(profile.visibility) },
    links: [{ rel: 'up', href: profilePath(profile) }],
    cacheControl: CACHE_CONTROL[profile.visibility],
  }
}
