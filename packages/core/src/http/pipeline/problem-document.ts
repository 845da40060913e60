import type { EepError, ProblemForm } from '../../kernel/errors.ts'
import { nodeHttp } from '../../kernel/node-http.ts'

interface Heading {
  readonly type: string
  readonly title: string
  readonly error: string
}

/** How the problem documents begin that EEP defines (EEP v0.1: `gate.402-response` and the others of `gate`, 3.1.1). */
const FORMS: Readonly<Record<ProblemForm, Heading>> = {
  payment_required: {
    type: 'https://eep.dev/problems/payment-required',
    title: 'Payment Required',
    error: 'access_restricted',
  },
  access_restricted: {
    type: 'https://eep.dev/problems/access-restricted',
    title: 'Access Restricted',
    error: 'access_forbidden',
  },
  legally_restricted: {
    type: 'https://eep.dev/problems/legally-restricted',
    title: 'Unavailable For Legal Reasons',
    error: 'legally_restricted',
  },
  rate_limited: { type: 'https://eep.dev/problems/rate-limited', title: 'Too Many Requests', error: 'rate_limited' },
  version: { type: 'about:blank', title: 'HTTP Version Not Supported', error: 'eep_version_not_supported' },
}

/** Whether EEP defines the problem document of an error. */
export const hasForm = ({ form, terms }: EepError): boolean => form !== undefined && terms !== undefined

/**
 * Writes an error as a problem document (RFC 9457).
 *
 * @param docsUrl - the URL of the error reference, without the code
 */
export function problemDocument(error: EepError, docsUrl: string): Readonly<Record<string, unknown>> {
  const { code, status, message, details, body, form, terms } = error
  if (form && terms) {
    const { type, title, error: name } = FORMS[form]
    const { detail, ...others } = terms
    return { type, title, status, detail, error: name, ...others }
  }
  const title = nodeHttp.STATUS_CODES[status] ?? 'Error'
  return { type: `${docsUrl}/${code}`, title, status, detail: message, code, details, ...body }
}
