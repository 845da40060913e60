import { type Html, html } from '../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import type { DealNames, Negotiation } from '../../../ports/storage/commerce.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { profilePath } from '../../profiles/profiles/index.ts'
import type { NegotiationView } from './parties.ts'

/** Reads the names in deals, by the ids of the deals. */
export type ReadDealNames = (deals: readonly Pick<Negotiation, 'id'>[]) => Promise<ReadonlyMap<string, DealNames>>

export const createDealNames =
  ({ negotiations }: Pick<Readers<'negotiations' | 'listings'>, 'negotiations'>): ReadDealNames =>
  async (deals) => {
    const names = await negotiations.listNames(deals.map(({ id }) => id))
    return new Map(names.map((name) => [name.id, name]))
  }

/** What a deal is about: the name of a listed service, else the text of the offer. */
export const serviceName = ({ service }: Pick<Negotiation, 'service'>, names: DealNames | undefined): string =>
  names?.service ?? service

/** Writes the other side of a deal: the name of its profile with a link, else its DID. */
export function otherPartyHtml(
  site: Site,
  { negotiation, actor }: NegotiationView,
  names: DealNames | undefined,
): Html {
  const isBuyer = actor === 'buyer'
  const party = isBuyer ? names?.seller : names?.buyer
  if (!party) return html`<bdi>${isBuyer ? negotiation.sellerDid : negotiation.buyerDid}</bdi>`
  return html`<a href="${hrefOn(site, profilePath(party))}"><bdi>${party.fullName ?? party.username}</bdi></a>`
}
