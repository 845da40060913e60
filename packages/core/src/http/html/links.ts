import { type Html, html } from './html.ts'

/** A link to an untrusted URL, or plain text when its scheme is not permitted. */
export function foreignLink(address: string, label: string = address): Html {
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
  return isWeb
    ? html`<a href="${address}" rel="nofollow ugc noopener"><bdi>${label}</bdi></a>`
    : html`<bdi>${label}</bdi>`
}
