const MAX_LENGTH = 512
/** Browsers drop some of these and read the others as slashes. */
const MISREAD = /[\p{Cc}\\]/u

/** A path of this site to go to after signing in; undefined for anything that could lead elsewhere. */
export function internalPath(next: string | undefined): string | undefined {
  if (next === undefined || next.length > MAX_LENGTH || !/^\/(?!\/)/.test(next) || MISREAD.test(next)) return undefined
  const site = 'https://site.invalid'
  const url = URL.canParse(next, site) ? new URL(next, site) : undefined
  return url?.origin === site && !url.pathname.startsWith('//') ? url.href.slice(site.length) : undefined
}

/** The id of the offers on the page of something that is sold. */
export const OFFER_ID = 'offer'

/** Returns the path that leads back from the sign-in to the offers of a page. */
export const offerPath = (path: string): string => `${path}#${OFFER_ID}`

/** Whether a sign-in leads back to the offers of a page, so that it began there. */
export const isOfferPath = (next: string | null | undefined): boolean => next?.endsWith(`#${OFFER_ID}`) === true
