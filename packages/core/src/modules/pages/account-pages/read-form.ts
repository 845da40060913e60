import type { z } from 'zod'
import type { PageAnswer } from '../../../http/html/html-forms.ts'
import type { Site } from '../../../http/html/view.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { ProblemKey } from './messages.ts'
import { problemMessages } from './messages.ts'
import { problemText } from './problems.ts'
import type { FormState } from './sign-in.pages.ts'

const RULES: Readonly<Record<string, ProblemKey>> = {
  email: 'invalidEmail',
  username: 'invalidUsername',
  full_name: 'invalidName',
  password: 'invalidPassword',
}

/** The field that an error is about. Others are about the whole form. */
const FIELDS: Readonly<Record<string, string>> = {
  email_taken: 'email',
  username_taken: 'username',
  username_reserved: 'username',
  weak_password: 'password',
}

/** The values of a form, or the problems to show beside its fields. */
export type FormReading<Values> =
  | { readonly values: Values; readonly problem?: undefined }
  | { readonly values?: undefined; readonly problem: FormState }

/** Checks the texts of a form by the schema of the JSON route with the same effect. */
export function readForm<Values>(
  site: Site,
  schema: z.ZodType<Values>,
  texts: Readonly<Record<string, string | undefined>>,
): FormReading<Values> {
  const result = schema.safeParse(texts)
  if (result.success) return { values: result.data }
  const say = problemMessages(site)
  const wrong = Object.fromEntries(
    result.error.issues.map(({ path: [name] }) => {
      const field = String(name)
      return [field, say(texts[field] ? (RULES[field] ?? 'checkFields') : 'required')]
    }),
  )
  return { problem: { problem: say('checkFields'), wrong } }
}

/** What a form shows about an error, and its response. */
export interface RefusedForm extends FormState {
  readonly answer: PageAnswer
}

/**
 * Returns what a form shows about an error, and its response.
 *
 * @throws the error when people cannot act on it
 */
export function refusedForm(site: Site, error: unknown): RefusedForm {
  if (!isEepError(error) || (error.status >= 500 && error.code !== 'login_capacity_exceeded')) throw error
  const { code, status } = error
  const answer = { status, error }
  const text = problemText(error, site)
  const field = FIELDS[code]
  if (field === undefined) return { problem: text, answer }
  return { problem: problemMessages(site)('checkFields'), wrong: { [field]: text }, answer }
}
