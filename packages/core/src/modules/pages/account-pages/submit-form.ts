import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { sendPage } from '../../../http/html/html-forms.ts'
import type { HtmlView } from '../../../http/html/view.ts'
import { goTo } from '../../../http/html/visits.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { weakPassword } from '../../people/accounts/index.ts'
import { usernameReserved } from '../../profiles/profiles/index.ts'
import { readForm, refusedForm } from './read-form.ts'
import type { FormState } from './sign-in.pages.ts'

/** A form that was sent. */
export interface SubmittedForm<Values> {
  /** The schema of the JSON route with the same effect. */
  readonly schema: z.ZodType<Values>
  /** The texts of the form by the names of the schema. */
  readonly texts: Readonly<Record<string, string | undefined>>
  /** Performs the action of the form. */
  readonly submit: (values: Values) => void | Promise<void>
  /** Returns the page of the form with what went wrong. `error` is what `submit` threw, if it was called. */
  readonly page: (problem: FormState, error?: unknown) => HtmlView
  /** The path to go to afterwards. */
  readonly next: string
}

/**
 * Errors about the shape of a field, thrown before anything is looked up. A form that is refused with another one counts:
 * it reveals whether an address, a name or a credential exists.
 */
const OF_SHAPE: ReadonlySet<string> = new Set([weakPassword.code, usernameReserved.code])

/**
 * Checks a form and performs its action, then redirects to `next`. Sends the page of the form again when a value is not valid,
 * or when the action throws an error that people can act on. A refusal by the shape of a field does not use up the rate limit.
 *
 * @throws other errors of the action
 */
export async function submitForm<Values>(
  request: FastifyRequest,
  reply: FastifyReply,
  { schema, texts, submit, page, next }: SubmittedForm<Values>,
): Promise<FastifyReply> {
  const { site, limited } = request.eep
  if (limited) {
    const { answer, ...problem } = refusedForm(site, limited)
    return sendPage(request, reply, page(problem), answer)
  }
  const form = readForm(site, schema, texts)
  if (form.problem) {
    await request.eep.giveBack?.(reply)
    return sendPage(request, reply, page(form.problem), 400)
  }
  try {
    await submit(form.values)
  } catch (error) {
    const { answer, ...problem } = refusedForm(site, error)
    if (isEepError(error) && OF_SHAPE.has(error.code)) await request.eep.giveBack?.(reply)
    return sendPage(request, reply, page(problem, error), answer)
  }
  return goTo(request, reply, next)
}
