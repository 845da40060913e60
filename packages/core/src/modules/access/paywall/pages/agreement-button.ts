import type { Html } from '../../../../http/html/html.ts'
import { buttonForm, type PageAction } from '../../../../http/html/page-actions.ts'
import type { Site } from '../../../../http/html/view.ts'
import { requirementMessages } from '../messages.ts'

/** The path of the form by which people accept a document. */
export const AGREEMENT_FORM = '/eep/agreements/form'

/** The name of the action of the form. */
export const ACCEPTANCE = 'agreement'

/** Confirms on the page that opens that its document was accepted. The button itself is on the page of the gate. */
export const acceptanceNotice: PageAction = {
  key: ACCEPTANCE,
  on: 'profile',
  html: () => undefined,
  said: (_outcome, site) => requirementMessages(site)('accepted'),
}

/** The button that accepts a document; nothing where acceptances are not stored. */
export const acceptHtml = (site: Site, did: string, document: string, next: string): Html | undefined =>
  site.has?.(AGREEMENT_FORM)
    ? buttonForm(site, {
        action: ACCEPTANCE,
        id: 0,
        path: AGREEMENT_FORM,
        next,
        fields: { did, document },
        label: requirementMessages(site)('accept'),
      })
    : undefined
