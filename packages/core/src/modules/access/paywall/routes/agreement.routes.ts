import { backOf, createForms } from '../../../../http/html/account-forms.ts'
import { formRoutes } from '../../../../http/html/html-forms.ts'
import { say } from '../../../../http/html/viewer.ts'
import { goTo } from '../../../../http/html/visits.ts'
import type { EepRoutes } from '../../../../http/routes.ts'
import { notFound } from '../../../../kernel/errors.ts'
import { profileNotFound } from '../../../profiles/profiles/index.ts'
import type { Agreements } from '../access/agreements.ts'
import { ACCEPTANCE, AGREEMENT_FORM } from '../pages/agreement-button.ts'

/** The form by which people accept a document of a gate. */
export function agreementRoutes(app: EepRoutes, agreements: Agreements, ownOrigins: ReadonlySet<string>): void {
  formRoutes(app, (scope) => {
    createForms(scope, ownOrigins).accountForm(
      {
        path: AGREEMENT_FORM,
        page: backOf,
        operationId: 'submitAgreement',
        summary: 'Accept a document that a gate requires (HTML form)',
        errors: [notFound, profileNotFound],
      },
      async (request, reply, { caller, texts }) => {
        await agreements.accept(texts.did ?? '', texts.document ?? '', caller)
        say(request, reply, { action: ACCEPTANCE, id: 0, outcome: 'accepted' })
        return goTo(request, reply, backOf(texts))
      },
    )
  })
}
